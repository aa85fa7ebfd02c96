import type { Ref, TextareaHTMLAttributes } from 'react'
import { Field, useFieldIds, type FieldOptions } from './field'
import css from './text-area.module.css'
import boxCss from './text-field.module.css'

type TextAreaAttributes = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id' | 'value'>

export interface TextAreaProps extends FieldOptions, TextAreaAttributes {
  value: string
  mono?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

const minRows = 3
const maxRows = 16

/** A field for several lines of text. It grows with its content, from 3 to 16 lines. */
export const TextArea = (props: TextAreaProps) => {
  const { id, label, labelAside, withAsterisk, help, error, mono, required, value, ...input } = props
  const ids = useFieldIds({ id, help, error })
  return (
    <Field {...{ ids, label, labelAside, withAsterisk, help, error }}>
      <div className={`${boxCss.box} ${css.box}`} data-mono={mono || undefined} data-invalid={error ? true : undefined}>
        <textarea
          aria-required={required || undefined}
          {...input}
          value={value}
          id={ids.controlId}
          // for browsers without field-sizing
          rows={Math.min(maxRows, Math.max(minRows, value.split('\n').length))}
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
        />
      </div>
    </Field>
  )
}
