import { useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { Cargo, Route } from '@trunkline/contract/kit/route'
import { useState } from 'react'
import { exchange } from '../lib/client'
import { Select } from '../ui/choices'
import { useBound, type FieldProps } from './bind'
import { noneValue } from './choice'

export interface RecordPickProps extends FieldProps {
  /** Which records: 'account'. Also the cache's name for them. */
  kind: string
  /** Where they are listed. */
  list: Route<string, Cargo>
  params: Record<string, string>
  /** Always asked. */
  query?: ListQuery
  /** Rows that can't be chosen here. */
  only?: (row: Record<string, unknown>) => boolean
  /** The option that means null: 'None', 'All accounts'. */
  none?: string
  placeholder?: string
  onPick?: (sid: string | null) => void
  /** Nothing can be chosen yet, so nothing is asked. */
  idle?: boolean
}

interface Found {
  options: { value: string; label: string }[]
  /** There are more that match: type to narrow. */
  more: boolean
}

const shown = 50

const optionOf = (kind: string, row: Record<string, unknown>) => ({
  value: String(row[`${kind}_sid`]),
  label: String(row.name ?? row.number ?? ''),
})

/** A record of another kind by its name. A server that pages is asked for what is typed; a whole list is searched here. */
export const RecordPick = (props: RecordPickProps) => {
  const {
    kind,
    list,
    params,
    query,
    only = () => true,
    label,
    required,
    help,
    readOnly,
    none,
    placeholder,
    onPick,
  } = props
  const { field, value, error } = useBound(props)
  const sid = typeof value === 'string' && value !== '' ? value : null
  const [typed, setTyped] = useState('')
  const [searching, setSearching] = useState(false)
  const name = searching ? typed.trim() : ''

  const { data, isFetching } = useQuery<Found>({
    queryKey: [kind, 'pick', list.path, params, query, name],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page: 1, page_size: shown, ...(name ? { name } : {}) }
      const answer = (await exchange(list, { params, query: asked, signal })) as Row[] | Page<Row>
      const rows = Array.isArray(answer) ? answer : answer.data
      return {
        options: rows.filter(only).map((row) => optionOf(kind, row)),
        more: !Array.isArray(answer) && answer.total > rows.length,
      }
    },
    staleTime: 30_000,
    enabled: !props.idle,
    placeholderData: (before) => before,
    meta: { quiet: true },
  })
  const options = data?.options ?? []
  const known = sid === null || options.some((each) => each.value === sid)
  const { data: chosen } = useQuery({
    queryKey: [kind, 'read', sid],
    queryFn: ({ signal }) =>
      exchange(readRoute(kind), { params: { [`${kind}_sid`]: sid ?? '' }, signal }) as Promise<Row>,
    enabled: !known && data !== undefined,
    meta: { quiet: true },
  })
  const all = [
    ...(none === undefined ? [] : [{ value: noneValue, label: none }]),
    ...(known || sid === null ? [] : [{ value: sid, label: chosen ? optionOf(kind, chosen).label : sid }]),
    ...options,
  ]
  return (
    <Select
      name={field.name}
      ref={field.ref}
      onBlur={() => {
        setSearching(false)
        field.onBlur()
      }}
      value={sid ?? (none === undefined ? null : noneValue)}
      onChange={(next) => {
        const picked = next === null || next === noneValue ? null : next
        setSearching(false)
        field.onChange(picked)
        onPick?.(picked)
      }}
      searchable
      onSearchChange={setTyped}
      onInput={() => setSearching(true)}
      data={all}
      label={label}
      withAsterisk={required}
      aria-required={required || undefined}
      description={help}
      error={error}
      disabled={props.disabled || props.idle || readOnly}
      placeholder={placeholder}
      nothingFoundMessage={isFetching ? 'Searching' : 'Nothing found'}
    />
  )
}

type Row = Record<string, unknown>

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
