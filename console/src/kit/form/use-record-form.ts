import { useRef, useState } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import { createFieldRegistry } from '../../fields/field-registry'
import { getChangedFields } from './changed-fields'
import type { ResourceFormProps } from './form-props'
import { createResolver, validateSchema, type FieldErrors } from './resolver'

export interface RecordFormProps<Row, Loaded extends Row, Values extends FieldValues> extends ResourceFormProps<
  Row,
  Loaded,
  Values
> {
  record: Loaded | undefined
  /** The record that a new record is a copy of. */
  copiedRecord?: Loaded
}

/** The request body with these values. Default: the values. */
export const toRequestBody = <Row, Loaded extends Row, Values extends FieldValues>(
  { body }: ResourceFormProps<Row, Loaded, Values>,
  values: Values,
  record: Loaded | undefined,
): unknown => (body ? body(values, record) : values)

/** The values of a form, the values that they were filled from, and their validation. */
export const useRecordForm = <Row, Loaded extends Row, Values extends FieldValues>(
  props: RecordFormProps<Row, Loaded, Values>,
) => {
  const { record, values, schema, rules } = props
  const [registry] = useState(createFieldRegistry)
  const [defaultValues] = useState(() => values(record ?? props.copiedRecord))
  /** The values that the fields were last filled from. */
  const initialValues = useRef(defaultValues)
  const form: UseFormReturn<Values> = useForm<Values>({
    defaultValues: defaultValues as DefaultValues<Values>,
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: createResolver<Values>(
      registry,
      (currentValues) => ({
        ...(schema ? validateSchema(schema, toRequestBody(props, currentValues, record), registry.labels) : {}),
        ...rules?.(currentValues, record),
      }),
      (path) =>
        registry.changed.has(path) || form.getFieldState(path as Path<Values>).invalid || form.formState.isSubmitted,
    ),
  })

  /** Fills the fields with stored values. Input that differs from `savedValues` stays, as an unsaved change. */
  const refill = (storedValues: Values, savedValues: Values) => {
    const unsavedFields = getChangedFields(form.getValues(), savedValues)
    initialValues.current = storedValues
    form.reset(storedValues)
    // not with `setValue` per field: right after a reset, the form library does not know which fields are arrays
    if (Object.keys(unsavedFields).length > 0)
      form.reset({ ...storedValues, ...unsavedFields }, { keepDefaultValues: true })
  }

  const hasUnsavedInput = () => Object.keys(getChangedFields(form.getValues(), initialValues.current)).length > 0

  const setErrors = (errors: FieldErrors) => {
    for (const [path, message] of Object.entries(errors))
      form.setError(path as Path<Values>, { type: 'server', message })
  }
  const { errors, isDirty } = form.formState
  return { form, errors, isDirty, registry, initialValues, refill, hasUnsavedInput, setErrors }
}
