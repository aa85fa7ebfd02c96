import { useWatch } from 'react-hook-form'
import type { FieldProps } from './use-bound-field'
import { SelectField } from './select-field'
import { FormTextField } from './text-fields'
import { toText } from './use-text-input-props'

/** A selectable item: its stored value and its name for the user. */
interface SelectableItem {
  value: string
  name: string
}

export interface SelectOrTextFieldProps extends FieldProps {
  /** The known items. Null: unknown, so the user types a value, and the form around it explains why. */
  items: readonly SelectableItem[] | null
  /** The items are loading. */
  loading?: boolean
  /** The label of the option that means null. */
  noneLabel?: string
  /** The user may also type a value that is not in the list. */
  allowsCustomValue?: boolean
  maxLength: number
  onSelect?: (value: string | null) => void
}

const toOptions = (items: readonly SelectableItem[], currentValue: string) => {
  // a list may contain an item twice
  const options = new Map(items.map(({ value, name }) => [value, { value, label: name || value }]))
  if (currentValue !== '' && !options.has(currentValue))
    options.set(currentValue, { value: currentValue, label: currentValue })
  return [...options.values()]
}

/**
 * A select for items from an external list, or a text field without one. The current value remains selectable even if
 * the list does not contain it.
 */
export const SelectOrTextField = ({
  items,
  loading,
  noneLabel,
  allowsCustomValue,
  maxLength,
  onSelect,
  ...props
}: SelectOrTextFieldProps) => {
  const currentValue = toText(useWatch({ name: props.name }) as unknown)
  if (items === null && !loading) return <FormTextField {...props} maxLength={maxLength} />
  return (
    <SelectField
      {...props}
      options={toOptions(items ?? [], currentValue)}
      noneLabel={noneLabel}
      // also while the items load: a list that gets its search box later would read the typed text as commands
      searchable={allowsCustomValue || undefined}
      allowsCustomValue={allowsCustomValue && !loading}
      placeholder={loading ? 'Loading' : undefined}
      onSelect={onSelect}
    />
  )
}
