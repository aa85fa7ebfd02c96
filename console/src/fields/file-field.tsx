import { findServiceKeyError } from '@trunkline/contract/cloud/service-key'
import { useContext } from 'react'
import { useFormContext } from 'react-hook-form'
import { KeyValues } from '../ui/form/box'
import { FileInput } from '../ui/form/file-input'
import { useBoundField, type FieldProps } from './use-bound-field'
import css from './file-field.module.css'
import { FieldRegistryContext } from './field-registry'
import { FormTextArea, type FormTextFieldProps } from './text-fields'
import { toText } from './use-text-input-props'

/** Loads the text of a file into a field. Validates immediately, because the value is complete. */
const useFileLoader = (name: string) => {
  const { setValue } = useFormContext()
  const { changed } = useContext(FieldRegistryContext)
  return async (file: File) => {
    const text = await file.text()
    changed.add(name)
    setValue(name, text, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
  }
}

/** Text from a file, which the user can also type or edit. */
export const FileTextField = (props: FormTextFieldProps) => {
  const loadFile = useFileLoader(props.name)
  const { readOnly } = useBoundField(props)
  return (
    <div className={css.field}>
      <FormTextArea {...props} mono />
      {readOnly ? null : <FileInput label={`File for ${props.label}`} onChoose={(file) => void loadFile(file)} />}
    </div>
  )
}

/** Number of characters of a private key that are shown. */
const visibleKeyLength = 6

const keyHeader = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\n?/

/** A private key with its header and the first characters after it. */
const maskPrivateKey = (key: string): string => {
  const [header = ''] = keyHeader.exec(key) ?? []
  return `${header.trim()} ${key.slice(header.length, header.length + visibleKeyLength)}••••••••`.trim()
}

const toKeyItems = (text: string) => {
  if (text === '' || findServiceKeyError(text)) return []
  const key = JSON.parse(text) as Record<string, unknown>
  return [
    { label: 'Client email', value: toText(key.client_email) },
    { label: 'Project', value: toText(key.project_id) },
    { label: 'Private key', value: maskPrivateKey(toText(key.private_key)) },
  ].filter(({ value }) => value !== '')
}

export interface ServiceKeyFieldProps extends FieldProps {
  /** The saved key, as the server returns it. */
  storedKey?: string
}

/** A Google service account key from a file. Its private key is never shown. */
export const ServiceKeyField = (props: ServiceKeyFieldProps) => {
  const { label, required, storedKey = '' } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  const loadFile = useFileLoader(props.name)
  const keyItems = toKeyItems(toText(value) || storedKey)
  return (
    <FileInput
      ref={field.ref}
      label={label}
      accept=".json,application/json"
      required={required}
      readOnly={readOnly}
      error={error}
      help={description}
      onChoose={(file) => void loadFile(file)}
      onBlur={field.onBlur}
    >
      {keyItems.length > 0 ? <KeyValues items={keyItems.map((item) => ({ ...item, mono: true }))} /> : null}
    </FileInput>
  )
}
