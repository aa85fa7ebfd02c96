import { serviceKeyFault } from '@trunkline/contract/calls/service-key'
import { useId } from 'react'
import { KeyValues } from '../ui/box'
import { FieldError } from '../ui/field-error'
import { useBound, type FieldProps } from './bind'
import css from './service-key-file.module.css'
import { asText } from './typed'

const header = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\n?/

/** A private key with its header and the first six characters after it. */
export const maskedKey = (key: string): string => {
  const [head = ''] = header.exec(key) ?? []
  return `${head.trim()} ${key.slice(head.length, head.length + 6)}••••••••`.trim()
}

const partsOf = (text: string) => {
  if (text === '' || serviceKeyFault(text)) return []
  const key = JSON.parse(text) as Record<string, unknown>
  return [
    { label: 'Client email', value: asText(key.client_email) },
    { label: 'Project', value: asText(key.project_id) },
    { label: 'Private key', value: maskedKey(asText(key.private_key)) },
  ].filter(({ value }) => value !== '')
}

export interface ServiceKeyFileProps extends FieldProps {
  /** The key that is saved, as the server shows it. */
  saved?: string
}

/** A Google service account key, chosen as a file from the disk; its private key is never shown. */
export const ServiceKeyFile = (props: ServiceKeyFileProps) => {
  const { label, required, saved = '' } = props
  const { field, value, error, readOnly } = useBound(props)
  const id = useId()
  const choose = async (file: File | undefined) => {
    if (!file) return
    field.onChange(await file.text())
    // a file is chosen at once and as a whole: what is wrong with it is said now
    field.onBlur()
  }
  const parts = partsOf(asText(value) || saved)
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        {label}
        {required && !readOnly ? (
          <span aria-hidden="true" className={css.asterisk}>
            {' '}
            *
          </span>
        ) : null}
      </label>
      {readOnly ? null : (
        <input
          ref={field.ref}
          id={id}
          type="file"
          accept=".json,application/json"
          className={css.file}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
          onBlur={field.onBlur}
        />
      )}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {parts.length > 0 ? (
        <div className={css.shown}>
          <KeyValues items={parts.map((part) => ({ ...part, mono: true }))} />
        </div>
      ) : null}
    </div>
  )
}
