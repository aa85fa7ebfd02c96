import { hashKey, useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { RouteTypes, Route } from '@trunkline/contract/kit/route'
import { requestUntyped } from '../lib/client'

type Row = Record<string, unknown>

/** Records of a kind that can be chosen somewhere. */
export interface Records {
  /** Which: 'account'. Also the cache's name for them. */
  kind: string
  /** Where they are listed. */
  list: Route<string, RouteTypes>
  params: Record<string, string>
  /** Always asked. */
  query?: ListQuery
  /** Rows that can't be chosen here are left out. */
  only?: (row: Record<string, unknown>) => boolean
  /** The name of the record that is kept, where the form knows it: not everybody may read the record itself. */
  called?: string | null | undefined
  /** What a form keeps of the one that is chosen: its sid unless said. */
  keeps?: 'sid' | 'name'
  /** Nothing can be chosen yet, so nothing is asked. */
  idle?: boolean
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

const optionOf = ({ kind, keeps }: Records, row: Row) => {
  const label = [row.name, row.number].find((each) => typeof each === 'string') ?? ''
  return { value: keeps === 'name' ? label : String(row[`${kind}_sid`]), label }
}

/** Several records may share a name, where it is the name that is kept. */
const each = (options: ReturnType<typeof optionOf>[]) => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]

/** The name of the record that is kept, wherever it stands in its list. */
const useKeptName = (records: Records, kept: string | null, asked: boolean): string | undefined => {
  const { kind, keeps = 'sid', called } = records
  const { data } = useQuery({
    queryKey: [kind, 'read', kept],
    queryFn: ({ signal }) =>
      requestUntyped(readRoute(kind), { params: { [`${kind}_sid`]: kept ?? '' }, signal }) as Promise<Row>,
    enabled: asked && keeps === 'sid' && !called,
    meta: { quiet: true },
  })
  return called || (data && optionOf(records, data).label)
}

/** The options for what is typed, and the chosen record, wherever it stands in the list. */
export const useRecordOptions = (records: Records, kept: string | null, name: string) => {
  const { kind, list, params, query, only = () => true, idle } = records
  const place = [kind, 'pick', list.path, params, query]
  const { data, isFetching } = useQuery({
    queryKey: [...place, name],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page: 1, page_size: shown, ...(name ? { name } : {}) }
      const answer = (await requestUntyped(list, { params, query: asked, signal })) as Row[] | Page<Row>
      return Array.isArray(answer) ? answer : answer.data
    },
    // not in the cache: who asks the same list may allow other rows
    select: (rows) => each(rows.filter(only).map((row) => optionOf(records, row))),
    staleTime: 30_000,
    enabled: !idle,
    // what was found stays while more is typed; what is another account's is no choice any more
    placeholderData: (before, asked) =>
      asked && hashKey(asked.queryKey.slice(0, -1)) === hashKey(place) ? before : undefined,
    meta: { quiet: true },
  })
  const known = kept === null || data?.some(({ value }) => value === kept)
  const called = useKeptName(records, kept, !known && (idle || data !== undefined))
  const extra = known || kept === null ? [] : [{ value: kept, label: called ?? kept }]
  return { options: [...extra, ...(data ?? [])], isFetching }
}
