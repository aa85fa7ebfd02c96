import type { FastifyInstance } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import type { Actor } from '@trunkline/contract/policy/actor'
import { ttsCache, ttsCacheOfAccount, ttsCacheOfProvider } from '@trunkline/contract/resources/tts-cache'
import { ttsCacheSchema } from '@trunkline/contract/shapes/tts-cache'
import { mountRoute } from '../../http/mount-route'
import { checkTenantSidFormat, checkTenantAccess } from '../../http/tenant-access'
import { notFound } from '../../http/problem'
import type { KeyFilter } from '../../ports/cache'
import type { Services } from '../../composition/services'
import { ttsPrefix, buildAccountPrefix } from './repository'
import { synthesisRoutes } from './synthesis'

const readSchemas = { response: ttsCacheSchema }
const tenantReadSchemas = { ...readSchemas, requiresWellFormedSids: false }

export const ttsCacheRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'cache' | 'providers' | 'speechCredentials' | 'googleCustomVoices' | 'speech'>,
): void => {
  const { accounts, cache, providers } = services
  synthesisRoutes(app, services)
  const readSize = async (prefix: string) => ({ size: await cache.countKeys(prefix) })

  mountRoute(app, ttsCache.read, readSchemas, ({ actor }) => {
    checkTenantAccess(actor, 'read', 'tts_cache')
    return readSize(ttsPrefix)
  })
  mountRoute(app, ttsCache.clear, {}, ({ actor }) => {
    checkTenantAccess(actor, 'remove', 'tts_cache')
    return cache.clear(ttsPrefix)
  })

  /** Returns the key prefix of an account. Throws if the actor may not access the account or it does not exist. */
  const getAuthorizedPrefix = async (actor: Actor, action: 'read' | 'remove', account_sid: string): Promise<string> => {
    checkTenantSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    checkTenantAccess(actor, action, 'tts_cache', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return buildAccountPrefix(account_sid)
  }
  mountRoute(app, ttsCacheOfAccount.read, tenantReadSchemas, async ({ params, actor }) =>
    readSize(await getAuthorizedPrefix(actor, 'read', params.account_sid)),
  )
  mountRoute(app, ttsCacheOfAccount.clear, { requiresWellFormedSids: false }, async ({ params, actor }) =>
    cache.clear(await getAuthorizedPrefix(actor, 'remove', params.account_sid)),
  )

  /**
   * Creates a filter for the keys of a provider's accounts, so that one scan finds the keys of all of them. Throws if the actor
   * may not access the provider or it does not exist.
   */
  const createAuthorizedFilter = async (
    actor: Actor,
    action: 'read' | 'remove',
    service_provider_sid: string,
  ): Promise<KeyFilter> => {
    checkTenantSidFormat(actor, 'ServiceProviders', service_provider_sid)
    checkTenantAccess(actor, action, 'tts_cache', { service_provider_sid, account_sid: null })
    if (!(await providers.find(fullReach, service_provider_sid))) throw notFound()
    const accountSids = new Set(await accounts.sidsOfProvider(service_provider_sid))
    return (key) => accountSids.has(key.split(':', 2)[1] ?? '')
  }
  mountRoute(app, ttsCacheOfProvider.read, tenantReadSchemas, async ({ params, actor }) => ({
    size: await cache.countKeys(ttsPrefix, await createAuthorizedFilter(actor, 'read', params.service_provider_sid)),
  }))
  mountRoute(app, ttsCacheOfProvider.clear, { requiresWellFormedSids: false }, async ({ params, actor }) =>
    cache.clear(ttsPrefix, await createAuthorizedFilter(actor, 'remove', params.service_provider_sid)),
  )
}
