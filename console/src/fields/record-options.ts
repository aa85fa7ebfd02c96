import { useQuery } from '@tanstack/react-query'
import type { ListQuery } from '@trunkline/contract/kit/page'
import type { RouteTypes, Route } from '@trunkline/contract/kit/route'
import { requestUntyped } from '../lib/client'
import { requestListUntyped } from '../lib/request-list'
import { keepPreviousPage, optionsKey, recordKey } from '../lib/query-keys'

type Row = Record<string, unknown>

/** A source of records for a select. */
export interface RecordSource {
  /** The kind of record: 'account'. */
  kind: string
  /** The route of the list. */
  list: Route<string, RouteTypes>
  params: Record<string, string>
  /** Sent with every request. */
  query?: ListQuery
  /** Rejects rows that cannot be selected here. */
  canSelect?: (row: Record<string, unknown>) => boolean
  /** The name of the selected record, if the form knows it: not every user may read the record itself. */
  selectedName?: string | null | undefined
  /** The form stores the SID or the name of the selected record. Default: the SID. */
  valueType?: 'sid' | 'name'
  /** Selection is not possible yet, so no request is sent. */
  isIdle?: boolean
}

const collectionPaths: Record<string, string> = {
  account: '/Accounts',
  application: '/Applications',
  voip_carrier: '/VoipCarriers',
}

const createReadRoute = (kind: string): Route => ({
  method: 'GET',
  path: `${collectionPaths[kind] ?? ''}/:${kind}_sid`,
  status: 200,
  summary: '',
})

const pageSize = 50

const toOption = ({ kind, valueType }: RecordSource, row: Row) => {
  const label = [row.name, row.number].find((text) => typeof text === 'string') ?? ''
  return { value: valueType === 'name' ? label : String(row[`${kind}_sid`]), label }
}

/** Removes duplicate options: if the form stores names, several records may share one. */
const removeDuplicateOptions = (options: ReturnType<typeof toOption>[]) => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]

/** The name of the selected record, wherever it is in its list. */
const useSelectedName = (
  source: RecordSource,
  selectedValue: string | null,
  isEnabled: boolean,
): string | undefined => {
  const { kind, valueType = 'sid', selectedName } = source
  const { data } = useQuery({
    queryKey: recordKey(kind, selectedValue),
    queryFn: ({ signal }) =>
      requestUntyped(createReadRoute(kind), {
        params: { [`${kind}_sid`]: selectedValue ?? '' },
        signal,
      }) as Promise<Row>,
    enabled: isEnabled && valueType === 'sid' && !selectedName,
    meta: { suppressErrorToast: true },
  })
  return selectedName || (data && toOption(source, data).label)
}

/** The options that match the typed text, plus the selected record, wherever it is in the list. */
export const useRecordOptions = (source: RecordSource, selectedValue: string | null, searchText: string) => {
  const { kind, list, params, query, canSelect = () => true, isIdle } = source
  const sourceKey = optionsKey(kind, [list.path, params, query])
  const { data, isFetching } = useQuery({
    queryKey: [...sourceKey, searchText],
    queryFn: async ({ signal }) => {
      const pageQuery = { ...query, page: 1, page_size: pageSize, ...(searchText ? { name: searchText } : {}) }
      return (await requestListUntyped<Row>(list, { params, query: pageQuery, signal })).rows
    },
    // filters after the cache: other selects of the same list may allow other rows
    select: (rows) => removeDuplicateOptions(rows.filter(canSelect).map((row) => toOption(source, row))),
    staleTime: 30_000,
    enabled: !isIdle,
    // keep the previous options while the user types, but not those of another account's list
    placeholderData: keepPreviousPage(sourceKey),
    meta: { suppressErrorToast: true },
  })
  const isListed = selectedValue === null || data?.some(({ value }) => value === selectedValue)
  const name = useSelectedName(source, selectedValue, !isListed && (isIdle || data !== undefined))
  const selectedOption =
    isListed || selectedValue === null ? [] : [{ value: selectedValue, label: name ?? selectedValue }]
  return { options: [...selectedOption, ...(data ?? [])], isFetching }
}
