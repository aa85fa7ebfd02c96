import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, useCombobox } from '@mantine/core'
import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
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
}

/** A button that says 'Name value' and opens the list of values. */
export const Pick = ({
  name,
  nameHidden,
  value,
  options,
  onChange,
  rest,
  searchable,
  loading,
  size = 'md',
}: PickProps) => {
  const [search, setSearch] = useState('')
  const withSearch = searchable ?? options.length > 8
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      box.focusTarget()
      setSearch('')
    },
    onDropdownOpen: () => {
      if (withSearch) box.focusSearchInput()
      box.updateSelectedOptionIndex('active')
    },
  })
  const wanted = search.trim().toLowerCase()
  const found = wanted ? options.filter((option) => option.label.toLowerCase().includes(wanted)) : options
  const chosen = options.find((option) => option.value === value)
  return (
    <Combobox
      store={box}
      position="bottom-start"
      width="max-content"
      onOptionSubmit={(next) => {
        onChange(next)
        box.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <button
          type="button"
          className={css.pick}
          aria-label={name}
          data-size={size}
          data-on={(rest !== undefined && value !== rest) || undefined}
          onClick={() => box.toggleDropdown()}
        >
          {nameHidden ? null : <span className={css.name}>{name}</span>}
          <span className={css.value}>{chosen?.label ?? value}</span>
          <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown className={css.list}>
        {withSearch ? (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              box.selectFirstOption()
            }}
            placeholder="Search"
            aria-label={`Search ${name}`}
          />
        ) : null}
        <Combobox.Options aria-label={name} className={css.options}>
          {found.map((option) => (
            <Combobox.Option
              key={option.value}
              value={option.value}
              active={option.value === value}
              className={css.option}
            >
              <span>{option.label}</span>
              {option.value === value ? <Check size={14} strokeWidth={2} aria-hidden="true" /> : null}
            </Combobox.Option>
          ))}
          {found.length === 0 ? <Combobox.Empty>{loading ? 'Loading' : 'Nothing found'}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
