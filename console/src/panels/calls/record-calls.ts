import { paths } from '../../lib/paths'
import type { OverviewParams } from './overview-query'

/** The calls of a record: where they are requested, and the filters that select them. */
export interface RecordCalls {
  /** The level and its SID, as in the key of a call source: ['account', sid]. */
  scope: readonly [level: 'account' | 'provider', sid: string]
  /** The account in the filter of the call list, if the user chooses one there. */
  account?: string
  /** The filters as the API names them. */
  filters: OverviewParams['filters']
  /** The same filters in the URL of the call list. */
  search: Partial<Record<'application' | 'trunk' | 'number' | 'text', string>>
}

/** Returns the query of the call list that selects the calls of a record, with further filters. */
export const createCallsQuery = ({ account, search }: RecordCalls, filters: Record<string, string>): string =>
  new URLSearchParams({ ...filters, ...(account ? { account } : {}), ...search }).toString()

/** Returns the path of the call list with the calls of a record, and further filters. */
export const createCallsPath = (calls: RecordCalls, filters: Record<string, string>): string =>
  `${paths.recentCalls}?${createCallsQuery(calls, filters)}`
