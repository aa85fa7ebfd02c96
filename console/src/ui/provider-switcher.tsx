import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, useCombobox } from '@mantine/core'
import { Check, ChevronsUpDown, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button'
import { Monogram } from './monogram'
import type { Option } from './pick'
import css from './provider-switcher.module.css'

export interface ProviderSwitcherProps {
  /** The present one; undefined while the list is on its way. */
  current: Option | undefined
  /** Absent for those who may only read the name. */
  providers?: Option[]
  onChange?: (value: string) => void
  /** A plus button beside it. */
  onAdd?: () => void
  /** An entry at the list's end that deletes the present one. */
  onRemove?: () => void
}

const removeValue = ' remove'

const Face = ({ current }: { current: Option | undefined }) => (
  <>
    <Monogram name={current?.label ?? ''} size={20} />
    <span className={css.name}>{current?.label}</span>
  </>
)

interface EntryProps {
  one: Option
  current: Option | undefined
}

const Entry = ({ one, current }: EntryProps) => (
  <Combobox.Option value={one.value} active={one.value === current?.value} className={css.option}>
    <Monogram name={one.label} size={20} />
    <span className={css.name}>{one.label}</span>
    {one.value === current?.value ? <Check size={14} strokeWidth={2} aria-hidden="true" /> : null}
  </Combobox.Option>
)

type ListProps = Required<Pick<ProviderSwitcherProps, 'providers' | 'onChange'>> &
  Pick<ProviderSwitcherProps, 'current' | 'onRemove'>

const List = ({ current, providers, onChange, onRemove }: ListProps) => {
  const [search, setSearch] = useState('')
  const withSearch = providers.length > 8
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => {
      if (withSearch) box.focusSearchInput()
      box.updateSelectedOptionIndex('active')
    },
  })
  const wanted = search.trim().toLowerCase()
  const found = wanted ? providers.filter((one) => one.label.toLowerCase().includes(wanted)) : providers
  return (
    <Combobox
      store={box}
      position="bottom-start"
      width={240}
      onOptionSubmit={(value) => {
        box.closeDropdown()
        if (value === removeValue) onRemove?.()
        else if (value !== current?.value) onChange(value)
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <button
          type="button"
          className={css.switch}
          aria-label="Service provider"
          title={current?.label}
          onClick={() => box.toggleDropdown()}
        >
          <Face current={current} />
          <ChevronsUpDown size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {withSearch ? (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              box.selectFirstOption()
            }}
            placeholder="Search"
            aria-label="Search service providers"
          />
        ) : null}
        <Combobox.Options aria-label="Service provider" className={css.options}>
          {found.map((one) => (
            <Entry key={one.value} one={one} current={current} />
          ))}
          {found.length === 0 ? <Combobox.Empty>Nothing found</Combobox.Empty> : null}
          {onRemove && current ? (
            <Combobox.Option value={removeValue} className={css.remove}>
              <Trash2 size={14} strokeWidth={2} aria-hidden="true" />
              <span className={css.name}>{`Delete ${current.label}`}</span>
            </Combobox.Option>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Which service provider the console is looking at. */
export const ProviderSwitcher = ({ current, providers = [], onChange, onAdd, onRemove }: ProviderSwitcherProps) => (
  <div className={css.provider}>
    {onChange ? (
      <List current={current} providers={providers} onChange={onChange} onRemove={onRemove} />
    ) : (
      <div className={css.fixed}>
        <span className="vh">Service provider: </span>
        <Face current={current} />
      </div>
    )}
    {onAdd ? (
      <span className={css.add}>
        <IconButton icon={Plus} label="Add service provider" onClick={onAdd} />
      </span>
    ) : null}
  </div>
)
