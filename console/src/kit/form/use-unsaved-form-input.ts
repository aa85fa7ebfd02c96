import { messages } from '@trunkline/contract/messages/form'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { toast } from '../../ui/feedback/toast'
import { findConflicts } from './changed-fields'
import { useUnsavedInput } from './use-unsaved-input'

interface UnsavedFormInputOptions<Values> {
  readOnly: boolean
  isNew: boolean
  /** The values that the fields were last filled from. */
  getInitialValues: () => Values
}

const pickFields = (values: FieldValues, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name] as unknown]))

/**
 * Keeps a form's input when a session ends, and restores it in the next one. If another user has changed the same fields
 * meanwhile, marks these fields, as after two concurrent saves.
 */
export const useUnsavedFormInput = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { readOnly, isNew, getInitialValues }: UnsavedFormInputOptions<Values>,
) => {
  useUnsavedInput({
    getUnsavedInput: () => {
      const values = form.getValues()
      // read the form's current state, not the rendered one: a session may end between a key press and its render
      const changedNames = Object.keys(values).filter((name) => form.getFieldState(name as Path<Values>).isDirty)
      if (readOnly || changedNames.length === 0) return undefined
      return { values: pickFields(values, changedNames), initialValues: pickFields(getInitialValues(), changedNames) }
    },
    restore: (unsavedInput) => {
      if (readOnly) return
      const { values } = unsavedInput
      const storedValues = form.getValues()
      const conflicts = isNew
        ? []
        : findConflicts(values, pickFields(storedValues, Object.keys(values)), unsavedInput.initialValues)
      form.reset({ ...storedValues, ...values }, { keepDefaultValues: true })
      for (const name of conflicts)
        form.setError(name as Path<Values>, { type: 'server', message: messages.fieldConflict })
      if (conflicts.length > 0) toast.bad(messages.restoredOver)
      else toast.ok(messages.restored)
    },
  })
}
