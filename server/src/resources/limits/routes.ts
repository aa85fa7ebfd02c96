import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getLimitKind, type Action } from '@trunkline/contract/policy/policy'
import { limitsOfAccount, limitsOfProvider } from '@trunkline/contract/resources/limit'
import {
  accountLimitSchema,
  limitDraftSchema as body,
  limitQuerySchema as query,
  providerLimitSchema,
  type AccountLimit,
  type ProviderLimit,
} from '@trunkline/contract/shapes/limit'
import { mountRoute } from '../../http/mount-route'
import { checkTenantSidFormat, checkTenantAccess } from '../../http/tenant-access'
import { notFound } from '../../http/problem'
import type { Services } from '../../composition/services'

export const limitRoutes = (
  app: FastifyInstance,
  { limits, accounts, providers }: Pick<Services, 'limits' | 'accounts' | 'providers'>,
  { allLimits }: Pick<FeatureFlags, 'allLimits'>,
): void => {
  const kind = getLimitKind(allLimits)
  /** Checks access to an account's limits and returns the account's SID. Throws 404 if there is no such account. */
  const authorizeAccount = async (actor: Actor, action: Action, account_sid: string): Promise<string> => {
    checkTenantSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    checkTenantAccess(actor, action, kind, { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return account_sid
  }
  const authorizeProvider = async (actor: Actor, action: Action, service_provider_sid: string): Promise<string> => {
    checkTenantSidFormat(actor, 'ServiceProviders', service_provider_sid)
    checkTenantAccess(actor, action, kind, { service_provider_sid, account_sid: null })
    if (!(await providers.find(fullReach, service_provider_sid))) throw notFound()
    return service_provider_sid
  }
  /** `authorizeAccount` and `authorizeProvider` check the SIDs. */
  const requiresWellFormedSids = false

  mountRoute(
    app,
    limitsOfAccount.list,
    { query, response: z.array(accountLimitSchema), requiresWellFormedSids },
    async (context) => {
      const sid = await authorizeAccount(context.actor, 'list', context.params.account_sid)
      return limits.list<AccountLimit>('account', sid, context.query.category)
    },
  )
  mountRoute(
    app,
    limitsOfAccount.save,
    { body, response: createdResponseSchema, requiresWellFormedSids },
    async (context) => {
      const sid = await authorizeAccount(context.actor, 'create', context.params.account_sid)
      return { sid: await limits.save('account', sid, context.body.category, context.body.quantity) }
    },
  )
  mountRoute(app, limitsOfAccount.remove, { query, requiresWellFormedSids }, async (context) => {
    const sid = await authorizeAccount(context.actor, 'remove', context.params.account_sid)
    await limits.remove('account', sid, context.query.category)
  })

  mountRoute(
    app,
    limitsOfProvider.list,
    { query, response: z.array(providerLimitSchema), requiresWellFormedSids },
    async (context) => {
      const sid = await authorizeProvider(context.actor, 'list', context.params.service_provider_sid)
      return limits.list<ProviderLimit>('service_provider', sid, context.query.category)
    },
  )
  mountRoute(
    app,
    limitsOfProvider.save,
    { body, response: createdResponseSchema, requiresWellFormedSids },
    async (context) => {
      const sid = await authorizeProvider(context.actor, 'create', context.params.service_provider_sid)
      return { sid: await limits.save('service_provider', sid, context.body.category, context.body.quantity) }
    },
  )
  mountRoute(app, limitsOfProvider.remove, { query, requiresWellFormedSids }, async (context) => {
    const sid = await authorizeProvider(context.actor, 'remove', context.params.service_provider_sid)
    await limits.remove('service_provider', sid, context.query.category)
  })
}
