import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Screened } from './record'
import type { Faults } from './resolve'

/** What a form knows while it is on screen. */
export interface FormState<Loaded, Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** The record that is edited; undefined while one is added. */
  record: Loaded | undefined
  adding: boolean
  /** The person may look only: every field is read-only, and Save is off. */
  readOnly: boolean
  /** Something of the record was stored without Save: says what the fields are filled from now. What was typed stays. */
  begin: (from: (before: Values) => Values) => void
}

export interface Saving<Loaded, Values> {
  sid: string | undefined
  values: Values
  record: Loaded | undefined
}

export interface ResourceFormProps<Row, Loaded extends Row, Values extends FieldValues> {
  of: Screened<Row>
  /** The record to edit; absent: one is added. */
  sid?: string
  /** The h1: { add: 'Add account', edit: 'Edit account' }. */
  title: { add: string; edit: string }
  /** How the record is read, when one call is not enough: the row and more. */
  read?: (sid: string, signal: AbortSignal) => Promise<Loaded>
  /** What of a record its copy begins with, where records can be duplicated: see Duplicate. */
  copy?: (record: Loaded) => Loaded
  /** The form's first values. */
  values: (record: Loaded | undefined) => Values
  /** The body that is sent; the values unless said. `schema` checks it. */
  body?: (values: Values, record: Loaded | undefined) => unknown
  /** The contract's shape of that body: create or update. */
  schema?: z.ZodType
  /** More rules, asked with each check: faults by field. */
  rules?: (values: Values, record: Loaded | undefined) => Faults
  /** Rules that have to ask the server; asked on save. */
  before?: (values: Values, record: Loaded | undefined) => Promise<Faults>
  /** How it is saved, when one call is not enough; answers the sid. */
  save?: (body: unknown, saving: Saving<Loaded, Values>) => Promise<string>
  /** The toasts after it. */
  added: string
  saved: string
  /** Where to go after it; undefined: stay, with the record read anew. */
  after: (sid: string, adding: boolean) => string | undefined
  cancel?: string
  /** Why nothing can be saved as things stand: said beside Save, which is off. */
  blocked?: (state: FormState<Loaded, Values>) => string | undefined
  actions?: (state: FormState<Loaded, Values>) => ReactNode
  aside?: (state: FormState<Loaded, Values>) => ReactNode
  /** Told which fields are wrong before the first of them gets the focus: a tab may have to open. */
  onWrong?: (paths: string[]) => void
  /** Why the person may look only; names the kind of record unless given. */
  mayNotChange?: string
  children: ReactNode | ((state: FormState<Loaded, Values>) => ReactNode)
}
