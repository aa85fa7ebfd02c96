import { hashKey, useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { RouteTypes, Route } from '@trunkline/contract/kit/route'
import { requestUntyped } from '../lib/client'

type Row = Record<string, unknown>

/** A source of records for a select. */
export interface RecordSource {
  /** The kind of record: 'account'. Also its key in the query cache. */
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

const collections: Record<string, string> = {
  account: '/Accounts',
  application: '/Applications',
  voip_carrier: '/VoipCarriers',
}

const readRoute = (kind: string): Route => ({
  method: 'GET',
  path: `${collections[kind] ?? ''}/:${kind}_sid`,
  status: 200,
  summary: '',
})

const shown = 50

const optionOf = ({ kind, valueType }: RecordSource, row: Row) => {
  const label = [row.name, row.number].find((each) => typeof each === 'string') ?? ''
  return { value: valueType === 'name' ? label : String(row[`${kind}_sid`]), label }
}

/** Removes duplicates: if the form stores names, several records may share one. */
const each = (options: ReturnType<typeof optionOf>[]) => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]

/** The name of the selected record, wherever it is in its list. */
const useKeptName = (records: RecordSource, kept: string | null, asked: boolean): string | undefined => {
  const { kind, valueType = 'sid', selectedName } = records
  const { data } = useQuery({
    queryKey: [kind, 'read', kept],
    queryFn: ({ signal }) =>
      requestUntyped(readRoute(kind), { params: { [`${kind}_sid`]: kept ?? '' }, signal }) as Promise<Row>,
    enabled: asked && valueType === 'sid' && !selectedName,
    meta: { suppressErrorToast: true },
  })
  return selectedName || (data && optionOf(records, data).label)
}

/** The options that match the typed text, plus the selected record, wherever it is in the list. */
export const useRecordOptions = (records: RecordSource, kept: string | null, name: string) => {
  const { kind, list, params, query, canSelect = () => true, isIdle } = records
  const place = [kind, 'pick', list.path, params, query]
  const { data, isFetching } = useQuery({
    queryKey: [...place, name],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page: 1, page_size: shown, ...(name ? { name } : {}) }
      const answer = (await requestUntyped(list, { params, query: asked, signal })) as Row[] | Page<Row>
      return Array.isArray(answer) ? answer : answer.data
    },
    // filters after the cache: other selects of the same list may allow other rows
    select: (rows) => each(rows.filter(canSelect).map((row) => optionOf(records, row))),
    staleTime: 30_000,
    enabled: !isIdle,
    // keep the previous options while the user types, but not those of another account's list
    placeholderData: (before, asked) =>
      asked && hashKey(asked.queryKey.slice(0, -1)) === hashKey(place) ? before : undefined,
    meta: { suppressErrorToast: true },
  })
  const known = kept === null || data?.some(({ value }) => value === kept)
  const called = useKeptName(records, kept, !known && (isIdle || data !== undefined))
  const extra = known || kept === null ? [] : [{ value: kept, label: called ?? kept }]
  return { options: [...extra, ...(data ?? [])], isFetching }
}
