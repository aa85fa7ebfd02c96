import { messages } from '@trunkline/contract/messages/general'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { toast } from '../ui/toast'
import { changedByBoth } from './changed'
import { useKeeping } from './use-keeping'

interface Drafting<Values> {
  readOnly: boolean
  adding: boolean
  /** What the fields were filled from. */
  begun: () => Values
}

const some = (values: FieldValues, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name] as unknown]))

/**
 * Keeps what was typed into a form over the end of a session. What somebody else has stored meanwhile in its place is
 * said, as when two people save at once.
 */
export const useDraft = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { readOnly, adding, begun }: Drafting<Values>,
) => {
  useKeeping({
    typed: () => {
      const values = form.getValues()
      // as it is, not as it was drawn last: a session may end between a key and what it draws
      const touched = Object.keys(values).filter((name) => form.getFieldState(name as Path<Values>).isDirty)
      if (readOnly || touched.length === 0) return undefined
      return { values: some(values, touched), begun: some(begun(), touched) }
    },
    restore: (draft) => {
      if (readOnly) return
      const { values } = draft
      const stored = form.getValues()
      const both = adding ? [] : changedByBoth(values, some(stored, Object.keys(values)), draft.begun)
      form.reset({ ...stored, ...values }, { keepDefaultValues: true })
      for (const name of both) form.setError(name as Path<Values>, { type: 'server', message: messages.changedByBoth })
      if (both.length > 0) toast.bad(messages.restoredOver)
      else toast.ok(messages.restored)
    },
  })
}
