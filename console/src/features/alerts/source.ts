import type { Actor } from '@trunkline/contract/policy/actor'
import { alertsOfAccount, alertsOfProvider } from '@trunkline/contract/resources/alert'
import type { Alert } from '@trunkline/contract/shapes/recent-call'
import type { TimedSource } from '../../kit/timed'
import { call } from '../../lib/client'

/** The alerts of one account, or of a provider with all its accounts. */
export const alertsBelow = (actor: Actor, service_provider_sid: string, account: string): TimedSource<Alert> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : account
  return account_sid
    ? {
        key: ['account', account_sid],
        ask: (query, signal, unasked = false) =>
          call(alertsOfAccount, { params: { account_sid }, query, signal, unasked }),
      }
    : {
        key: ['provider', service_provider_sid],
        ask: (query, signal, unasked = false) =>
          call(alertsOfProvider, { params: { service_provider_sid }, query, signal, unasked }),
      }
}
