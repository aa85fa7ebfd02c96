import type { QueryClient } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  callsOfAccount,
  callsOfProvider,
  overviewOfAccount,
  overviewOfProvider,
} from '@trunkline/contract/resources/recent-call'
import type { CallOverview, OverviewQuery, RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { EventListSource } from '../../kit/event-list/event-query'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { request } from '../../lib/client'
import { isTimestamp } from '../../lib/call-times'
import { convertFields, type FieldTypes } from '../../lib/convert-fields'
import { paths } from '../../lib/paths'
import { formatPhoneNumber } from '../../lib/phone-number'
import { requestList } from '../../lib/request-list'

type CallRequest = EventListSource<RecentCall>['fetch']

/** Characters with a special meaning in a regular expression, or that end it or the string it is compared with. */
const specialCharacter = /[.*+?(){}|$[\]^\\/'"]/
/** Characters that are literal within brackets. */
const bracketLiteral = /[.*+?(){}|$[]/

/**
 * Returns a regular expression that matches the text. It contains no backslash, because v1 servers also compare the
 * filter with SIDs, and accept no backslash there.
 */
const toPattern = (text: string): string =>
  [...text]
    .map((character) => (bracketLiteral.test(character) ? `[${character}]` : character.replace(specialCharacter, '.')))
    .join('')

/** Converts the filter for v1 servers, which treat it as a regular expression. */
const adaptFilter = async <Query extends Record<string, unknown>>(
  query: Query,
  queryClient: QueryClient,
): Promise<Query> => {
  const { filter } = query
  if (typeof filter !== 'string' || !specialCharacter.test(filter)) return query
  const capabilities = await queryClient.ensureQueryData(capabilitiesQuery)
  return capabilities === noCapabilities ? { ...query, filter: toPattern(filter) } : query
}

const fieldTypes: FieldTypes = {
  text: [
    'account_sid',
    'answered_at',
    'application_sid',
    'attempted_at',
    'call_sid',
    'direction',
    'from',
    'host',
    'recording_url',
    'remote_host',
    'service_provider_sid',
    'sip_callid',
    'sip_parent_callid',
    'terminated_at',
    'termination_reason',
    'to',
    'trace_id',
    'trunk',
  ],
  numbers: ['duration', 'sip_status'],
}
const emptyFields = Object.fromEntries([...fieldTypes.text, ...fieldTypes.numbers].map((name) => [name, null]))

/** Returns the record of a call with all fields of the contract, in their types. */
const toRecentCall = (row: RecentCall): RecentCall => convertFields({ ...emptyFields, ...row }, fieldTypes)

/** The calls of one account, or of a provider with all its accounts. */
export const callSource = (
  actor: Actor,
  service_provider_sid: string,
  selectedAccountSid: string,
  queryClient: QueryClient,
): EventListSource<RecentCall> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : selectedAccountSid
  const sendRequest: CallRequest = account_sid
    ? (query, options) => requestList(callsOfAccount, { params: { account_sid }, query, ...options })
    : (query, options) => requestList(callsOfProvider, { params: { service_provider_sid }, query, ...options })
  return {
    key: account_sid ? ['account', account_sid] : ['provider', service_provider_sid],
    fetch: async (query, options) => {
      const page = await sendRequest(await adaptFilter(query, queryClient), options)
      return { ...page, rows: page.rows.map(toRecentCall) }
    },
  }
}

/** The overview of the same calls. */
export const fetchOverview = (
  [level, sid]: readonly unknown[],
  query: OverviewQuery,
  signal: AbortSignal,
): Promise<CallOverview> =>
  level === 'account'
    ? request(overviewOfAccount, { params: { account_sid: String(sid) }, query, signal, isBackground: true })
    : request(overviewOfProvider, { params: { service_provider_sid: String(sid) }, query, signal, isBackground: true })

/**
 * Returns a unique key of a call record. The SID alone is not unique, because a server may have several records of a
 * call with different timestamps. Some failed calls have no SID.
 */
export const callKey = ({ call_sid, sip_callid, attempted_at }: RecentCall): string =>
  call_sid ? `${call_sid} ${attempted_at}` : `${attempted_at} ${sip_callid ?? ''}`

/** Returns the path of a call, for any user at any later time. */
export const createCallPath = (row: RecentCall, account = ''): string =>
  `${paths.recentCall(callKey(row))}${account ? `?${new URLSearchParams({ account }).toString()}` : ''}`

const timestampPattern = /(?:^| )(\d{4}-\d{2}-\d{2}T[^ ]+)(?: |$)/

/** Returns the query for a call by its key or SID. A key contains the time of the call; a SID is searched for. */
export const createCallQuery = (key: string): { start: string; end: string } | { days: number; filter: string } => {
  const timestamp = timestampPattern.exec(key)?.[1]
  return timestamp !== undefined && isTimestamp(timestamp)
    ? { start: timestamp, end: timestamp }
    : { days: 30, filter: key }
}

/** The parties of a call: '(617) 555-0143 → (212) 555-0103'. */
export const formatParties = ({ from, to }: Pick<RecentCall, 'from' | 'to'>): string =>
  `${formatPhoneNumber(from ?? '')} → ${formatPhoneNumber(to ?? '')}`
