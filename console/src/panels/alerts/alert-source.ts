import type { Actor } from '@trunkline/contract/policy/actor'
import {
  alertGroupsOfAccount,
  alertGroupsOfProvider,
  alertsOfAccount,
  alertsOfProvider,
} from '@trunkline/contract/resources/alert'
import type { Alert, AlertGroup } from '@trunkline/contract/shapes/recent-call'
import type { EventListSource } from '../../kit/event-list/event-query'
import { convertFields } from '../../lib/convert-fields'
import { requestList } from '../../lib/request-list'

/** An alert, or a group of alerts with the same type and message. */
export type AlertRow = Alert & Partial<Pick<AlertGroup, 'count' | 'first' | 'accounts' | 'history'>>

const textFields = ['account_sid', 'alert_type', 'detail', 'message', 'target_sid', 'time', 'vendor']

/** The list source of the alerts of one account, or of a provider with all its accounts. */
export const createAlertSource = (
  actor: Actor,
  service_provider_sid: string,
  accountFilter: string,
): EventListSource<Alert> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : accountFilter
  const sendRequest: EventListSource<Alert>['fetch'] = account_sid
    ? (query, options) => requestList(alertsOfAccount, { params: { account_sid }, query, ...options })
    : (query, options) => requestList(alertsOfProvider, { params: { service_provider_sid }, query, ...options })
  return {
    key: account_sid ? ['account', account_sid] : ['provider', service_provider_sid],
    fetch: async (query, options) => {
      const page = await sendRequest(query, options)
      return { ...page, rows: page.rows.map((row) => convertFields(row, { text: textFields, numbers: [] })) }
    },
  }
}

/** The list source of the same alerts in groups, for servers that can group them. */
export const createAlertGroupSource = (
  actor: Actor,
  service_provider_sid: string,
  accountFilter: string,
): EventListSource<AlertGroup> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : accountFilter
  return account_sid
    ? {
        key: ['groups of account', account_sid],
        fetch: (query, options) => requestList(alertGroupsOfAccount, { params: { account_sid }, query, ...options }),
      }
    : {
        key: ['groups of provider', service_provider_sid],
        fetch: (query, options) =>
          requestList(alertGroupsOfProvider, { params: { service_provider_sid }, query, ...options }),
      }
}

/**
 * Returns a key that identifies the row. A group's key contains neither its time nor its count, so that it stays the same
 * when another alert joins the group.
 */
export const getAlertKey = ({ time, alert_type, account_sid, message, count }: AlertRow): string =>
  [
    ...(count === undefined ? [time, account_sid ?? ''] : ['group']),
    alert_type ?? '',
    (message ?? '').slice(0, 80),
  ].join(' ')
