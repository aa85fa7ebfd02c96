import { useWatch } from 'react-hook-form'
import type { FieldProps } from './use-bound-field'
import { SelectField } from './select-field'
import { FormTextField } from './text-fields'
import { toText } from './use-typed-field'

/** A selectable item: its stored value and its name for the user. */
interface Offer {
  value: string
  name: string
}

export interface ListedProps extends FieldProps {
  /** The known items. Null: unknown, so the user types a value, and the form around it explains why. */
  offers: readonly Offer[] | null
  /** The items are loading. */
  loading?: boolean
  /** The label of the option that means null. */
  none?: string
  /** The user may also type a value that is not in the list. */
  open?: boolean
  maxLength: number
  onSelect?: (value: string | null) => void
}

const optionsOf = (offers: readonly Offer[], present: string) => {
  // a list may contain an item twice
  const options = new Map(offers.map(({ value, name }) => [value, { value, label: name || value }]))
  if (present !== '' && !options.has(present)) options.set(present, { value: present, label: present })
  return [...options.values()]
}

/**
 * A select for items from an external list, or a text field without one. The current value remains selectable even if
 * the list does not contain it.
 */
export const Listed = ({ offers, loading, none, open, maxLength, onSelect, ...props }: ListedProps) => {
  const present = toText(useWatch({ name: props.name }) as unknown)
  if (offers === null && !loading) return <FormTextField {...props} maxLength={maxLength} />
  return (
    <SelectField
      {...props}
      options={optionsOf(offers ?? [], present)}
      none={none}
      open={open && !loading}
      placeholder={loading ? 'Loading' : undefined}
      onSelect={onSelect}
    />
  )
}
