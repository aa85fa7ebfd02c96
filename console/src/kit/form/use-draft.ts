import { messages } from '@trunkline/contract/messages/general'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { toast } from '../../ui/feedback/toast'
import { findConflicts } from './changed-fields'
import { useUnsavedInput } from './use-unsaved-input'

interface DraftOptions<Values> {
  readOnly: boolean
  adding: boolean
  /** The values that the fields were last filled from. */
  begun: () => Values
}

const pickFields = (values: FieldValues, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name] as unknown]))

/**
 * Keeps a form's input when a session ends. If another user has changed the same fields meanwhile, marks them, as for
 * two concurrent saves.
 */
export const useDraft = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { readOnly, adding, begun }: DraftOptions<Values>,
) => {
  useUnsavedInput({
    typed: () => {
      const values = form.getValues()
      // read the form's current state, not the rendered one: a session may end between a key press and its render
      const touched = Object.keys(values).filter((name) => form.getFieldState(name as Path<Values>).isDirty)
      if (readOnly || touched.length === 0) return undefined
      return { values: pickFields(values, touched), begun: pickFields(begun(), touched) }
    },
    restore: (draft) => {
      if (readOnly) return
      const { values } = draft
      const stored = form.getValues()
      const both = adding ? [] : findConflicts(values, pickFields(stored, Object.keys(values)), draft.begun)
      form.reset({ ...stored, ...values }, { keepDefaultValues: true })
      for (const name of both) form.setError(name as Path<Values>, { type: 'server', message: messages.fieldConflict })
      if (both.length > 0) toast.bad(messages.restoredOver)
      else toast.ok(messages.restored)
    },
  })
}
