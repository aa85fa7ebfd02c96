import type { Actor } from '@trunkline/contract/policy/actor'
import {
  alertGroupsOfAccount,
  alertGroupsOfProvider,
  alertsOfAccount,
  alertsOfProvider,
} from '@trunkline/contract/resources/alert'
import type { Alert, AlertGroup } from '@trunkline/contract/shapes/recent-call'
import type { TimedSource } from '../../kit/timed-list/timed-query'
import { request } from '../../lib/client'

/** An alert, or a group of alerts with the same type and message. */
export type AlertRow = Alert & Partial<Pick<AlertGroup, 'count' | 'first' | 'accounts'>>

/** The alerts of one account, or of a provider with all its accounts. */
export const alertSource = (actor: Actor, service_provider_sid: string, account: string): TimedSource<Alert> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : account
  return account_sid
    ? {
        key: ['account', account_sid],
        fetch: (query, signal, isPolling = false) =>
          request(alertsOfAccount, { params: { account_sid }, query, signal, isPolling }),
      }
    : {
        key: ['provider', service_provider_sid],
        fetch: (query, signal, isPolling = false) =>
          request(alertsOfProvider, { params: { service_provider_sid }, query, signal, isPolling }),
      }
}

/** The same alerts in groups, for servers that can group them. */
export const alertGroupSource = (
  actor: Actor,
  service_provider_sid: string,
  account: string,
): TimedSource<AlertGroup> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : account
  return account_sid
    ? {
        key: ['groups of account', account_sid],
        fetch: (query, signal, isPolling = false) =>
          request(alertGroupsOfAccount, { params: { account_sid }, query, signal, isPolling }),
      }
    : {
        key: ['groups of provider', service_provider_sid],
        fetch: (query, signal, isPolling = false) =>
          request(alertGroupsOfProvider, { params: { service_provider_sid }, query, signal, isPolling }),
      }
}
