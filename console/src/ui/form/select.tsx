import { ChevronDown } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Field, useFieldIds, type FieldOptions } from './field'
import type { Option } from './match-options'
import { Listbox, type ListboxProps } from './listbox'
import css from './select.module.css'

export interface SelectProps
  extends
    FieldOptions,
    Pick<
      ListboxProps,
      'searchable' | 'allowsCustomValue' | 'loading' | 'emptyText' | 'onSearch' | 'onBlur' | 'disabled'
    > {
  options: readonly Option[]
  /** Null if no option is selected; the placeholder is then shown. */
  value: string | null
  onChange: (value: string) => void
  placeholder?: string
  required?: boolean
  /** Hides the label, for a select in a toolbar. */
  labelHidden?: boolean
  className?: string
  ref?: Ref<HTMLButtonElement>
}

const minSearchableOptions = 9

const wrapInClass = (control: ReactNode, className: string | undefined) =>
  className ? <div className={className}>{control}</div> : control

/** A form field with a list of options. From nine options on, the list has a search box. */
export const Select = (props: SelectProps) => {
  const { id, label, labelAside, withAsterisk, help, error, labelHidden, className, ref } = props
  const { options, value, onChange, placeholder, required, disabled } = props
  const ids = useFieldIds({ id, help, error })
  const selectedOption = options.find((option) => option.value === value)
  const text = selectedOption?.label ?? value
  const control = (
    <Listbox
      ref={ref}
      id={ids.controlId}
      label={label}
      labelledBy={labelHidden ? undefined : ids.labelId}
      className={css.select}
      disabled={disabled}
      attributes={{
        'aria-required': required || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': ids.describedBy,
        'data-invalid': error ? true : undefined,
      }}
      options={options}
      value={value}
      onSelect={onChange}
      searchable={props.searchable ?? (props.allowsCustomValue || options.length >= minSearchableOptions)}
      allowsCustomValue={props.allowsCustomValue}
      loading={props.loading}
      emptyText={props.emptyText}
      onSearch={props.onSearch}
      onBlur={props.onBlur}
    >
      <span className={css.value} data-placeholder={text === null || undefined}>
        {text ?? placeholder}
      </span>
      <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
    </Listbox>
  )
  if (labelHidden) return wrapInClass(control, className)
  return <Field {...{ ids, label, labelAside, withAsterisk, help, error, className }}>{control}</Field>
}
