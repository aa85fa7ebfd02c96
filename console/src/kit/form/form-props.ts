import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import type { AnyResource } from '../record/record'
import type { FieldErrors } from './resolver'

/** The state of a form while it is on screen. */
export interface FormState<Loaded, Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** The record being edited; undefined on the add screen. */
  record: Loaded | undefined
  isNew: boolean
  /** The user may only view the record: every field is read-only, and there is no Save button. */
  readOnly: boolean
  /** Replaces the initial values after part of the record was stored without Save. Unsaved input stays. */
  replaceInitialValues: (replace: (initialValues: Values) => Values) => void
}

export interface SaveContext<Loaded, Values> {
  sid: string | undefined
  values: Values
  record: Loaded | undefined
}

export interface ResourceFormProps<Row, Loaded extends Row, Values extends FieldValues> {
  resource: AnyResource<Row>
  /** The record to edit. Absent: the form adds one. */
  sid?: string
  /** The h1: { add: 'Add account', edit: 'Edit account' }. */
  title: { add: string; edit: string }
  /** Reads the record, if that takes more than one request. */
  read?: (sid: string, signal: AbortSignal) => Promise<Loaded>
  /** Returns the part of a record that a copy starts with. For kinds that have a CopyRecordButton. */
  copy?: (record: Loaded) => Loaded
  /** The initial values of the form. */
  values: (record: Loaded | undefined) => Values
  /** The request body, which `schema` validates. Default: the values. */
  body?: (values: Values, record: Loaded | undefined) => unknown
  /** The contract's schema of that body, for creating or updating. */
  schema?: z.ZodType
  /** Additional validation, on every check. Returns field errors. */
  rules?: (values: Values, record: Loaded | undefined) => FieldErrors
  /** Validation that needs the server, on save. */
  validateOnServer?: (values: Values, record: Loaded | undefined) => Promise<FieldErrors>
  /** Saves the record, if that takes more than one request. Returns its SID. */
  save?: (body: unknown, context: SaveContext<Loaded, Values>) => Promise<string>
  /** The toasts after saving. */
  addedMessage: string
  savedMessage: string
  /** The path to open after saving. Undefined: stay on the form and read the record again. */
  nextPath: (sid: string, isNew: boolean) => string | undefined
  cancelPath?: string
  /** The reason why the form cannot be saved now. Shown beside Save, which is then disabled. */
  blockReason?: (state: FormState<Loaded, Values>) => ReactNode
  actions?: (state: FormState<Loaded, Values>) => ReactNode
  aside?: (state: FormState<Loaded, Values>) => ReactNode
  /** Receives the invalid fields before the first of them gets the focus, because a tab may have to open. */
  onInvalid?: (paths: string[]) => void
  /** The reason why the user may only view the record. Default: a message that names the kind of record. */
  viewOnlyReason?: string
  children: ReactNode | ((state: FormState<Loaded, Values>) => ReactNode)
}
