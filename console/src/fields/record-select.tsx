import { useDebouncedValue } from '@mantine/hooks'
import type { SelectProps } from '@mantine/core'
import { useState } from 'react'
import { Select } from '../ui/choices'
import { noneValue } from './found-options'
import { useRecordOptions, type Records } from './record-options'

/** What stands in a form field of its own, or in a bar. */
type InputProps = Pick<
  SelectProps,
  | 'ref'
  | 'name'
  | 'label'
  | 'aria-label'
  | 'aria-required'
  | 'className'
  | 'description'
  | 'disabled'
  | 'error'
  | 'onBlur'
  | 'placeholder'
  | 'withAsterisk'
>

export interface RecordSelectProps extends InputProps {
  records: Records
  /** The option that means null: 'None', 'All accounts'. */
  none?: string | undefined
  /** What is kept of the chosen one; null: nothing is chosen yet; `noneValue`: none. */
  value: string | null
  onChange: (kept: string | null) => void
}

/** A record of another kind by its name. A server that pages is asked for what is typed; a whole list is searched here. */
export const RecordSelect = ({ records, none, value, onChange, onBlur, ...input }: RecordSelectProps) => {
  const [typed, setTyped] = useState('')
  const [searching, setSearching] = useState(false)
  const [name] = useDebouncedValue(searching ? typed.trim() : '', 300)
  const { options, isFetching } = useRecordOptions(records, value === noneValue ? null : value, name)
  const rest = none === undefined ? [] : [{ value: noneValue, label: none }]
  return (
    <Select
      {...input}
      onBlur={(event) => {
        setSearching(false)
        onBlur?.(event)
      }}
      value={value}
      onChange={(next) => {
        setSearching(false)
        onChange(next)
      }}
      searchable
      onSearchChange={setTyped}
      onInput={() => setSearching(true)}
      data={[...rest, ...options]}
      nothingFoundMessage={isFetching ? 'Searching' : 'Nothing found'}
    />
  )
}
