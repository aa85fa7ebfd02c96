import { queryOptions } from '@tanstack/react-query'
import type { OverviewQuery } from '@trunkline/contract/shapes/recent-call'
import { toTimeQuery } from '../../lib/call-times'
import { namedQueryKey } from '../../lib/query-keys'
import { fetchOverview } from './call-source'

/** What the calls of an overview are also grouped by. */
export type Grouping = 'failures' | 'trunk' | 'account'

export interface OverviewParams {
  /** Scope of the calls, as in the key of their source: the level and its SID. */
  scope: readonly unknown[]
  /** The date filter. */
  date: string
  /** The other filters, as the API names them. */
  filters: Omit<OverviewQuery, 'days' | 'start' | 'end' | 'by'> | Record<string, string | undefined>
  by?: Grouping
}

/** Creates the query of statistics of finished calls. */
export const createOverviewQuery = ({ scope, date, filters, by = 'failures' }: OverviewParams) => {
  const groupBy = by === 'failures' ? {} : { by }
  return queryOptions({
    queryKey: namedQueryKey('recent_call', 'overview', ...scope, { date, filters, ...groupBy }),
    queryFn: async ({ signal }) => ({
      ...(await fetchOverview(scope, { ...toTimeQuery(date), ...filters, ...groupBy }, signal)),
      by,
    }),
    meta: { suppressErrorToast: true },
  })
}
