import { useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { Cargo, Route } from '@trunkline/contract/kit/route'
import { exchange } from '../lib/client'

type Row = Record<string, unknown>

/** Records of a kind that can be chosen somewhere. */
export interface Records {
  /** Which: 'account'. Also the cache's name for them. */
  kind: string
  /** Where they are listed. */
  list: Route<string, Cargo>
  params: Record<string, string>
  /** Always asked. */
  query?: ListQuery
  /** Rows that can't be chosen here are left out. */
  only?: (row: Record<string, unknown>) => boolean
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

const optionOf = (kind: string, row: Row) => {
  const words = [row.name, row.number].find((each) => typeof each === 'string')
  return { value: String(row[`${kind}_sid`]), label: words ?? '' }
}

/** The options for what is typed, and the chosen record, wherever it stands in the list. */
export const useRecordOptions = (records: Records, sid: string | null, name: string) => {
  const { kind, list, params, query, only = () => true, idle } = records
  const { data, isFetching } = useQuery({
    queryKey: [kind, 'pick', list.path, params, query, name],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page: 1, page_size: shown, ...(name ? { name } : {}) }
      const answer = (await exchange(list, { params, query: asked, signal })) as Row[] | Page<Row>
      return Array.isArray(answer) ? answer : answer.data
    },
    // not in the cache: who asks the same list may allow other rows
    select: (rows) => rows.filter(only).map((row) => optionOf(kind, row)),
    staleTime: 30_000,
    enabled: !idle,
    placeholderData: (before) => before,
    meta: { quiet: true },
  })
  const known = sid === null || data?.some((each) => each.value === sid)
  const { data: chosen } = useQuery({
    queryKey: [kind, 'read', sid],
    queryFn: ({ signal }) =>
      exchange(readRoute(kind), { params: { [`${kind}_sid`]: sid ?? '' }, signal }) as Promise<Row>,
    enabled: !known && (idle || data !== undefined),
    meta: { quiet: true },
  })
  const extra = known || sid === null ? [] : [{ value: sid, label: chosen ? optionOf(kind, chosen).label : sid }]
  return { options: [...extra, ...(data ?? [])], isFetching }
}
