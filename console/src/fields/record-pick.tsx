import { useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { Cargo, Route } from '@trunkline/contract/kit/route'
import { useDebouncedValue } from '@mantine/hooks'
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

const shown = 50

const optionOf = (kind: string, row: Row) => {
  const words = [row.name, row.number].find((each) => typeof each === 'string')
  return { value: String(row[`${kind}_sid`]), label: words ?? '' }
}

/** The options for what is typed, and the chosen record, wherever it stands in the list. */
const useOptions = (props: RecordPickProps, sid: string | null, name: string) => {
  const { kind, list, params, query, only = () => true, idle } = props
  const { data, isFetching } = useQuery({
    queryKey: [kind, 'pick', list.path, params, query, name],
    queryFn: async ({ signal }) => {
      const asked = { ...query, page: 1, page_size: shown, ...(name ? { name } : {}) }
      const answer = (await exchange(list, { params, query: asked, signal })) as Row[] | Page<Row>
      return (Array.isArray(answer) ? answer : answer.data).filter(only).map((row) => optionOf(kind, row))
    },
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
    enabled: !known && data !== undefined,
    meta: { quiet: true },
  })
  const extra = known || sid === null ? [] : [{ value: sid, label: chosen ? optionOf(kind, chosen).label : sid }]
  return { options: [...extra, ...(data ?? [])], isFetching }
}

/** A record of another kind by its name. A server that pages is asked for what is typed; a whole list is searched here. */
export const RecordPick = (props: RecordPickProps) => {
  const { none, onPick } = props
  const { field, value, error } = useBound(props)
  const sid = typeof value === 'string' && value !== '' ? value : null
  const [typed, setTyped] = useState('')
  const [searching, setSearching] = useState(false)
  const { options, isFetching } = useOptions(props, sid, useDebouncedValue(searching ? typed.trim() : '', 300)[0])
  const rest = none === undefined ? [] : [{ value: noneValue, label: none }]
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
      data={[...rest, ...options]}
      label={props.label}
      withAsterisk={props.required}
      aria-required={props.required || undefined}
      description={props.help}
      error={error}
      disabled={[props.disabled, props.idle, props.readOnly].some(Boolean)}
      placeholder={props.placeholder}
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
