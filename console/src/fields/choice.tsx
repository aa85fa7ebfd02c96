import { useState } from 'react'
import { Select } from '../ui/choices'
import { useBound, type FieldProps } from './bind'
import { placeholderFor } from './typed'
import { foundOptions, noneValue, type Option } from './found-options'

export interface ChoiceProps extends FieldProps {
  options: { value: string; label: string }[]
  placeholder?: string
  /** A search box; from nine options on unless said. */
  searchable?: boolean
  /** The first option, which means null: 'None', 'All accounts'. */
  none?: string
  /** Something else may be typed: the list offers to use it. */
  open?: boolean
  /** After the value changed by hand: other fields may have to follow. */
  onPick?: (value: string | null) => void
}

/** The option of a value: a number is chosen by its digits. A blank is none: given one, the list would go on showing the last. */
const chosen = (value: unknown, none: string | undefined) => {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value)
  return none === undefined ? null : noneValue
}

/** What is typed, as one more option; none where it is on offer already. */
const typedIn = (search: string, all: readonly Option[]): Option[] => {
  const text = search.trim()
  const isKnown = text === '' || all.some(({ value, label }) => value === text || label === text)
  return isKnown ? [] : [{ value: text, label: `Use ${text}` }]
}

/** One of a few known values; null when none. */
export const Choice = (props: ChoiceProps) => {
  const { label, required, options, placeholder, none, open, onPick } = props
  const { field, value, error, description, readOnly } = useBound(props)
  const [search, setSearch] = useState('')
  const all = none === undefined ? options : [{ value: noneValue, label: none }, ...options]
  const typed = open ? typedIn(search, all) : []
  return (
    <Select
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      value={chosen(value, none)}
      onChange={(next) => {
        const picked = next === null || next === noneValue ? null : next
        field.onChange(picked)
        onPick?.(picked)
      }}
      data={[...all, ...typed]}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={description}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={placeholderFor(readOnly, placeholder)}
      searchable={props.searchable ?? (open || all.length > 8)}
      onSearchChange={open ? setSearch : undefined}
      // what is typed is never among those for which there is no room
      filter={({ search: wanted }) => [...foundOptions(all, wanted, chosen(value, none)), ...typed]}
      nothingFoundMessage="Nothing found"
    />
  )
}
