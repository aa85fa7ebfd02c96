import { useState } from 'react'
import { Select } from '../ui/choices'
import { useBound, type FieldProps } from './bind'
import { asText, placeholderFor } from './typed'

export interface OpenChoiceProps extends FieldProps {
  options: readonly { value: string; label: string }[]
  placeholder?: string
}

/** One of some known values, or another one that is typed. */
export const OpenChoice = (props: OpenChoiceProps) => {
  const { label, required, options, placeholder } = props
  const { field, value, error, description, readOnly } = useBound(props)
  const [text, setText] = useState('')
  const present = asText(value)
  const typed = text.trim()
  const isKnown = (one: string) => options.some((option) => option.value === one || option.label === one)
  const own = [
    ...(isKnown(present) || present === '' ? [] : [{ value: present, label: present }]),
    ...(typed === '' || typed === present || isKnown(typed) ? [] : [{ value: typed, label: `Use ${typed}` }]),
  ]
  return (
    <Select
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      value={present === '' && !isKnown('') ? null : present}
      onChange={(next) => field.onChange(next ?? '')}
      data={[...options, ...own]}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={description}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={placeholderFor(readOnly, placeholder ?? 'Choose or type')}
      searchable
      onSearchChange={setText}
      nothingFoundMessage="Type another one"
    />
  )
}
