import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Select } from '../ui/choices'
import { useBound, type FieldProps } from './bind'
import { noneValue } from './choice'
import { useRecordOptions, type Records } from './record-options'

export interface RecordPickProps extends FieldProps, Records {
  /** The option that means null: 'None', 'All accounts'. */
  none?: string
  placeholder?: string
  onPick?: (sid: string | null) => void
}

/** A record of another kind by its name. A server that pages is asked for what is typed; a whole list is searched here. */
export const RecordPick = (props: RecordPickProps) => {
  const { none, onPick } = props
  const { field, value, error, readOnly } = useBound(props)
  const sid = typeof value === 'string' && value !== '' ? value : null
  const [typed, setTyped] = useState('')
  const [searching, setSearching] = useState(false)
  const { options, isFetching } = useRecordOptions(props, sid, useDebouncedValue(searching ? typed.trim() : '', 300)[0])
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
      withAsterisk={props.required && !readOnly}
      aria-required={props.required || undefined}
      description={props.help}
      error={error}
      disabled={[props.disabled, props.idle, readOnly].some(Boolean)}
      placeholder={props.placeholder}
      nothingFoundMessage={isFetching ? 'Searching' : 'Nothing found'}
    />
  )
}
