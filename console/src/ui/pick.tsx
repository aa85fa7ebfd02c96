import { ChevronDown } from 'lucide-react'
import { Listbox } from './listbox'
import css from './pick.module.css'

export interface Option {
  value: string
  label: string
}

export interface PickProps {
  /** What is chosen here: 'Status'. */
  name: string
  /** The name is said but not shown. */
  nameHidden?: boolean
  value: string
  options: Option[]
  onChange: (value: string) => void
  /** The value that filters nothing; any other is drawn as a filter in use. */
  rest?: string
  /** A search box in the list; by default from nine options on. */
  searchable?: boolean
  /** While the options are on their way. */
  loading?: boolean
  size?: 'md' | 'sm'
  /** Told what is searched for, with '' when the list opens: options may be fetched as they are wanted. */
  onSearch?: (text: string) => void
}

/** A button that says 'Name value' and opens the list of values. */
export const Pick = (props: PickProps) => {
  const { name, nameHidden, value, options, onChange, rest, searchable, loading, size = 'md', onSearch } = props
  const chosen = options.find((option) => option.value === value)
  return (
    <Listbox
      label={name}
      className={css.pick}
      attributes={{ 'data-size': size, 'data-on': (rest !== undefined && value !== rest) || undefined }}
      options={options}
      value={value}
      onPick={onChange}
      searchable={searchable ?? options.length > 8}
      loading={loading}
      onSearch={onSearch}
    >
      {nameHidden ? null : <span className={css.name}>{name}</span>}
      <span className={css.value}>{chosen?.label ?? value}</span>
      <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
    </Listbox>
  )
}
