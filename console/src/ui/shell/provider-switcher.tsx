import { ChevronsUpDown, Plus, Trash2 } from 'lucide-react'
import { IconButton } from '../button'
import { Listbox } from '../form/listbox'
import { Monogram } from '../monogram'
import type { Option } from '../form/match-options'
import css from './provider-switcher.module.css'

export interface ProviderSwitcherProps {
  /** The current provider; undefined while the list is loading. */
  current: Option | undefined
  /** Absent for users who can't switch; they see only the name. */
  providers?: Option[]
  onChange?: (value: string) => void
  /** Shows a plus button beside the switcher. */
  onAdd?: () => void
  /** Adds an option at the end of the list that deletes the current provider. */
  onRemove?: () => void
}

const removeValue = ' remove'

const ProviderName = ({ current }: { current: Option | undefined }) => (
  <>
    <Monogram name={current?.label ?? ''} size={20} />
    <span className={css.name}>{current?.label}</span>
  </>
)

/** Shows and switches the current service provider. */
export const ProviderSwitcher = ({ current, providers = [], onChange, onAdd, onRemove }: ProviderSwitcherProps) => {
  const options = providers.map((provider) => ({ ...provider, icon: <Monogram name={provider.label} size={20} /> }))
  const removeOption = {
    value: removeValue,
    label: `Delete ${current?.label ?? ''}`,
    icon: <Trash2 size={14} strokeWidth={2} aria-hidden="true" />,
    danger: true,
  }
  const handleSelect = (value: string) => {
    if (value === removeValue) onRemove?.()
    else if (value !== current?.value) onChange?.(value)
  }
  return (
    <div className={css.provider}>
      {onChange ? (
        <Listbox
          label="Service provider"
          className={css.listbox}
          title={current?.label}
          options={onRemove && current ? [...options, removeOption] : options}
          value={current?.value}
          onSelect={handleSelect}
          searchable={providers.length > 8}
        >
          <ProviderName current={current} />
          <ChevronsUpDown size={14} strokeWidth={2} aria-hidden="true" />
        </Listbox>
      ) : (
        <div className={css.readOnly}>
          <span className="visually-hidden">Service provider: </span>
          <ProviderName current={current} />
        </div>
      )}
      {onAdd ? (
        <span className={css.add}>
          <IconButton icon={Plus} label="Add service provider" onClick={onAdd} />
        </span>
      ) : null}
    </div>
  )
}
