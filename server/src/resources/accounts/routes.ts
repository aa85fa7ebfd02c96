import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import { listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { planStates, type PlanState } from '@trunkline/contract/billing/plan-state'
import { account, accountsOfProvider, webhookSecret as webhookSecretRoute } from '@trunkline/contract/resources/account'
import { accountDraftSchema, accountSchema, accountChangesSchema } from '@trunkline/contract/shapes/account'
import { containsText, type ListOptions } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFoundWithoutBody } from '../../http/problem'
import { findPermitted, listRecords, resourceRoutes } from '../../http/resource-routes'
import { generateWebhookSecret } from '../../secrets/ids'
import type { Services } from '../../composition/services'
import { accountNotFound, missingField } from '../../shared/refusals'
import { attachSubscriptions, planStateSql } from '../plans/public'
import { bucketTestRoute } from './bucket-test'
import { createAccountWriter, type AccountServices } from './writer'

const isPlanState = (value: unknown): value is PlanState => planStates.some((state) => state === value)

/** The filters of the lists of accounts. */
const toListOptions = ({
  name,
  service_provider_sid,
  is_active,
  plan_type,
  plan,
}: z.output<typeof listQuerySchema>): ListOptions => ({
  text: name ? containsText(sql`t.name`, name) : undefined,
  where: [
    ...(isPlanState(plan) ? [sql`${planStateSql()} = ${plan}`] : []),
    ...(is_active === '0' || is_active === '1' ? [sql`t.is_active = ${Number(is_active)}`] : []),
    ...(typeof plan_type === 'string' && plan_type ? [sql`t.plan_type = ${plan_type}`] : []),
    ...(service_provider_sid ? [sql`t.service_provider_sid = ${service_provider_sid}`] : []),
  ],
})

/** The provider of a new account. Only administrators can choose it. */
const providerSidOf = (draft: Row, actor: Actor): string => {
  if (actor.scope !== 'admin') return actor.service_provider_sid
  if (!draft.service_provider_sid) throw missingField('service_provider_sid')
  return draft.service_provider_sid as string
}

const accountsOfProviderRoute = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'providers' | 'store' | 'hostedEdition'>,
): void =>
  mountRoute(
    app,
    accountsOfProvider,
    { query: listQuerySchema, response: listResponseSchema(accountSchema) },
    async ({ params, query, actor }) => {
      await findPermitted(
        { kind: 'service_provider', repository: services.providers },
        'read',
        actor,
        params.service_provider_sid,
      )
      const list = await listRecords(services.accounts, 'account', { ...query, ...params }, actor, toListOptions)
      // The subscriptions of the accounts are for the provider who sells them.
      if (!services.hostedEdition || actor.scope === 'account') return list
      return Array.isArray(list)
        ? attachSubscriptions(services, list)
        : { ...list, data: await attachSubscriptions(services, list.data) }
    },
  )

/** Returns the secret that signs the webhook requests of an account. With `regenerate`, replaces it first. */
const accountWebhookSecretRoute = (app: FastifyInstance, { accounts }: Pick<Services, 'accounts'>): void =>
  mountRoute(
    app,
    webhookSecretRoute,
    {
      query: z.looseObject({ regenerate: z.string().optional() }),
      response: z.object({ webhook_secret: z.string() }),
    },
    async ({ params: { account_sid }, query: { regenerate }, actor }) => {
      const action = regenerate ? 'update' : 'read'
      const current = await findPermitted({ kind: 'account', repository: accounts }, action, actor, account_sid)
      if (!regenerate) return { webhook_secret: current.webhook_secret }
      const webhook_secret = generateWebhookSecret()
      await accounts.update(account_sid, { webhook_secret })
      return { webhook_secret }
    },
  )

export const accountRoutes = (
  app: FastifyInstance,
  services: AccountServices & Pick<Services, 'openStorage' | 'hostedEdition'>,
): void => {
  const { accounts, providers } = services
  const writer = createAccountWriter(services)

  const resolveOwner = async (draft: Row, actor: Actor): Promise<Owner> => {
    const service_provider_sid = providerSidOf(draft, actor)
    if (actor.scope === 'admin' && !(await providers.find(fullReach, service_provider_sid)))
      throw badRequest(`service_provider not found for sid ${service_provider_sid}`, 'service_provider_sid')
    return { service_provider_sid, account_sid: null }
  }

  resourceRoutes(app, account, accounts, {
    rowSchema: accountSchema,
    createBody: accountDraftSchema,
    updateBody: accountChangesSchema,
    missing: {
      read: notFoundWithoutBody,
      update: (sid, { scope }) => (scope === 'admin' ? accountNotFound(sid) : notFoundWithoutBody()),
    },
    listOptions: toListOptions,
    ownerOf: resolveOwner,
    insertRow: (draft, sid, actor) => writer.insert(draft, sid, providerSidOf(draft, actor), actor),
    updateRow: (current, changes, actor) => writer.update(current, changes, actor),
    removalEvent: 'account_deleted',
    remove: (current, actor, request) => writer.remove(current, actor, request),
  })

  accountsOfProviderRoute(app, services)
  bucketTestRoute(app, services)
  accountWebhookSecretRoute(app, services)
}
