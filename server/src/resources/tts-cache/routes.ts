import type { FastifyInstance } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { ttsCache, ttsCacheOfAccount, ttsCacheOfProvider } from '@trunkline/contract/resources/tts-cache'
import { ttsCache as response } from '@trunkline/contract/shapes/tts-cache'
import { mountRoute } from '../../http/mount-route'
import { checkSidFormat, passGate } from '../../http/gate'
import { notFound } from '../../http/problem'
import type { KeyFilter } from '../../ports/cache'
import type { Services } from '../../services'
import { ttsPrefix, accountPrefix } from './repository'
import { synthesizeRoute } from './synthesis'

export const ttsCacheRoutes = (app: FastifyInstance, services: Services): void => {
  const { accounts, cache, providers } = services
  synthesizeRoute(app, services)
  const count = async (prefix: string) => ({ size: await cache.count(prefix) })

  mountRoute(app, ttsCache.read, { response }, ({ actor }) => {
    passGate(actor, 'read', 'tts_cache')
    return count(ttsPrefix)
  })
  mountRoute(app, ttsCache.clear, {}, ({ actor }) => {
    passGate(actor, 'remove', 'tts_cache')
    return cache.clear(ttsPrefix)
  })

  /** The key prefix of an account. Throws if the actor may not access the account or it does not exist. */
  const authorizedPrefix = async (actor: Actor, action: 'read' | 'remove', account_sid: string): Promise<string> => {
    checkSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, action, 'tts_cache', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return accountPrefix(account_sid)
  }
  mountRoute(app, ttsCacheOfAccount.read, { response, checkSids: false }, async ({ params, actor }) =>
    count(await authorizedPrefix(actor, 'read', params.account_sid)),
  )
  mountRoute(app, ttsCacheOfAccount.clear, { checkSids: false }, async ({ params, actor }) =>
    cache.clear(await authorizedPrefix(actor, 'remove', params.account_sid)),
  )

  /** Matches the keys of a provider's accounts, so that all keys are scanned only once. */
  const providerFilter = async (
    actor: Actor,
    action: 'read' | 'remove',
    service_provider_sid: string,
  ): Promise<KeyFilter> => {
    checkSidFormat(actor, 'ServiceProviders', service_provider_sid)
    passGate(actor, action, 'tts_cache', { service_provider_sid, account_sid: null })
    if (!(await providers.find({ all: true }, service_provider_sid))) throw notFound()
    const sids = new Set(await accounts.sidsOfProvider(service_provider_sid))
    return (key) => sids.has(key.split(':', 2)[1] ?? '')
  }
  mountRoute(app, ttsCacheOfProvider.read, { response, checkSids: false }, async ({ params, actor }) => ({
    size: await cache.count(ttsPrefix, await providerFilter(actor, 'read', params.service_provider_sid)),
  }))
  mountRoute(app, ttsCacheOfProvider.clear, { checkSids: false }, async ({ params, actor }) =>
    cache.clear(ttsPrefix, await providerFilter(actor, 'remove', params.service_provider_sid)),
  )
}
