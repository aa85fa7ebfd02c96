import { useQuery } from '@tanstack/react-query'
import type { Route, RouteTypes } from '@trunkline/contract/kit/route'
import { namedQueryKey } from '../lib/query-keys'
import { filterCompleteList, requestListUntyped } from '../lib/request-list'

/** The kinds whose records of one account are counted. */
type CountedKind = 'application' | 'client' | 'phone_number' | 'speech_credential' | 'user' | 'voip_carrier'

export interface CountedList {
  kind: CountedKind
  /** The route of the list. */
  list: Route<string, RouteTypes>
  params?: Record<string, string>
  query?: Record<string, string>
  /** The list also contains records that all accounts share. */
  hasSharedRecords?: boolean
  /** False: the number is known from elsewhere, so nothing is requested. */
  isEnabled?: boolean
}

/** The number of records of an account in a list; undefined until it is known, and if the list cannot be read. */
export const useRecordCount = (
  account_sid: string,
  { kind, list, params, query, hasSharedRecords = false, isEnabled = true }: CountedList,
): number | undefined =>
  useQuery({
    queryKey: namedQueryKey(kind, 'count', account_sid),
    queryFn: async ({ signal }) => {
      const page = await requestListUntyped<Record<string, unknown>>(list, {
        params,
        query: { ...query, page: 1, page_size: 1 },
        signal,
        isBackground: true,
      })
      const { rows, total } = filterCompleteList(page, (row) => hasSharedRecords || row.account_sid === account_sid)
      return total ?? rows.length
    },
    enabled: isEnabled,
    meta: { suppressErrorToast: true },
  }).data
