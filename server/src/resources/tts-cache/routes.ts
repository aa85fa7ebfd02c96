import type { FastifyInstance } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { ttsCache, ttsCacheOfAccount } from '@trunkline/contract/resources/tts-cache'
import { ttsCache as answer } from '@trunkline/contract/shapes/tts-cache'
import { bind } from '../../http/bind'
import { checkForm, passGate } from '../../http/gate'
import { notFound } from '../../http/problem'
import type { Services } from '../../services'

/** Voice servers keep what was spoken under these names. */
const all = 'tts:'
const ofAccount = (account_sid: string) => `${all}${account_sid}:`

export const ttsCacheRoutes = (app: FastifyInstance, { accounts, cache }: Services): void => {
  const count = async (prefix: string) => ({ size: await cache.count(prefix) })

  bind(app, ttsCache.read, { answer }, ({ actor }) => {
    passGate(actor, 'read', 'tts_cache')
    return count(all)
  })
  bind(app, ttsCache.clear, {}, ({ actor }) => {
    passGate(actor, 'remove', 'tts_cache')
    return cache.clear(all)
  })

  /** The keys of an account that is there, for who may come to it. */
  const keysOf = async (actor: Actor, action: 'read' | 'remove', account_sid: string): Promise<string> => {
    checkForm(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, action, 'tts_cache', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return ofAccount(account_sid)
  }
  bind(app, ttsCacheOfAccount.read, { answer, checkSids: false }, async ({ params, actor }) =>
    count(await keysOf(actor, 'read', params.account_sid)),
  )
  bind(app, ttsCacheOfAccount.clear, { checkSids: false }, async ({ params, actor }) =>
    cache.clear(await keysOf(actor, 'remove', params.account_sid)),
  )
}
