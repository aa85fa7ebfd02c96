import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { application, applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import {
  applicationDraftSchema,
  applicationSchema,
  applicationChangesSchema,
} from '@trunkline/contract/shapes/application'
import { containsText, type ListOptions } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound, notFoundWithoutBody } from '../../http/problem'
import { findPermitted, listRecords, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { missingField } from '../../shared/refusals'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'
import { appEnvRoutes } from './app-env'
import { webhookTestRoute } from './webhook-test'
import { createApplicationWriter, type ApplicationServices } from './writer'

const toListOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuerySchema>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  text: name ? containsText(sql`t.name`, name) : undefined,
  where: [...(account_sid ? [sql`t.account_sid = ${account_sid}`] : [])],
})

/** The lists of one account's and of one provider's applications. */
const applicationsOfOwnerRoutes = (
  app: FastifyInstance,
  { applications, accounts, providers }: Pick<Services, 'applications' | 'accounts' | 'providers'>,
): void => {
  const schemas = { query: listQuerySchema, response: listResponseSchema(applicationSchema) }
  mountRoute(app, applicationsOfAccount, schemas, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'account', repository: accounts }, 'read', actor, params.account_sid)
    return listRecords(applications, 'application', { ...query, ...params }, actor, toListOptions)
  })
  mountRoute(app, applicationsOfProvider, schemas, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'service_provider', repository: providers }, 'read', actor, params.service_provider_sid)
    return listRecords(applications, 'application', { ...query, ...params }, actor, toListOptions)
  })
}

export const applicationRoutes = (
  app: FastifyInstance,
  services: ApplicationServices & Pick<Services, 'providers' | 'webhookClient'>,
): void => {
  const { applications, accounts, fetchAppEnvSchema } = services
  const writer = createApplicationWriter(services)

  const resolveOwner = async (draft: Row, actor: Actor): Promise<Owner> => {
    const account_sid = resolveAccountSid(actor, draft.account_sid as string | undefined)
    if (account_sid) return findOwnerForAccount(accounts, account_sid)
    if (actor.scope === 'admin') throw missingField('account_sid')
    throw badRequest("missing required field: 'account_sid'", 'account_sid')
  }

  resourceRoutes(app, application, applications, {
    rowSchema: applicationSchema,
    createBody: applicationDraftSchema,
    updateBody: applicationChangesSchema,
    missing: {
      read: notFoundWithoutBody,
      update: notFoundWithoutBody,
      remove: (_, { scope }) => (scope === 'account' ? badRequest('application does not exist') : notFound()),
    },
    listOptions: toListOptions,
    ownerOf: resolveOwner,
    insertRow: (draft, sid, actor) => writer.insert(draft, sid, actor),
    updateRow: (current, changes, actor) => writer.update(current, changes, actor),
    remove: (current) => writer.remove(current),
  })

  appEnvRoutes(app, fetchAppEnvSchema)
  webhookTestRoute(app, services)
  applicationsOfOwnerRoutes(app, services)
}
