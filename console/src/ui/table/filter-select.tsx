import { ChevronDown, X } from 'lucide-react'
import { useRef } from 'react'
import { Listbox } from '../form/listbox'
import type { Option } from '../form/match-options'
import css from './filter-select.module.css'

export interface FilterSelectProps {
  /** Name of the setting: 'Status'. */
  name: string
  /** Hides the name visually; screen readers still announce it. */
  nameHidden?: boolean
  value: string
  options: Option[]
  onChange: (value: string) => void
  /** The value that filters nothing; any other value is highlighted as an active filter, with a button to remove it. */
  inactiveValue?: string
  /** Shows a search box in the list; by default from nine options on. */
  searchable?: boolean
  /** The options are loading. */
  loading?: boolean
  size?: 'md' | 'sm'
  /** Called with the search text, and with '' when the list opens, so that options can be fetched on demand. */
  onSearch?: (text: string) => void
}

/** A button that shows a name and a value, and opens the list of values. */
export const FilterSelect = (props: FilterSelectProps) => {
  const {
    name,
    nameHidden,
    value,
    options,
    onChange,
    inactiveValue,
    searchable,
    loading,
    size = 'md',
    onSearch,
  } = props
  const button = useRef<HTMLButtonElement>(null)
  const isActive = inactiveValue !== undefined && value !== inactiveValue
  const selectedOption = options.find((option) => option.value === value)
  return (
    <span className={css.box}>
      <Listbox
        ref={button}
        label={name}
        className={css.select}
        attributes={{ 'data-size': size, 'data-active': isActive || undefined }}
        options={options}
        value={value}
        onSelect={onChange}
        searchable={searchable ?? options.length > 8}
        loading={loading}
        onSearch={onSearch}
      >
        {nameHidden ? null : <span className={css.name}>{name}</span>}
        <span className={css.value}>{selectedOption?.label ?? value}</span>
        {isActive ? null : <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />}
      </Listbox>
      {isActive ? (
        <button
          type="button"
          className={css.remove}
          aria-label={`Remove filter ${name}`}
          title="Remove filter"
          onClick={() => {
            button.current?.focus()
            onChange(inactiveValue)
          }}
        >
          <X size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      ) : null}
    </span>
  )
}
