import { messages } from '@trunkline/contract/messages/form'
import type { Row } from '../db/repository-options'
import { unprocessable } from './problem'

/** Whether the value is empty in any form that clients send. A bucket may have the vendor 'none'. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' &&
    Object.entries(value as Row).every(
      ([name, fieldValue]) => name === 'vendor' && (!fieldValue || fieldValue === 'none'),
    ))

/**
 * Removes changes of stored values that this server cannot decrypt. The API shows such a value as empty. If the client sends
 * it back empty, the stored value stays. A new value is refused, because it would overwrite the stored one.
 */
export const omitUndecryptable = <C extends Row>(changes: C, { unreadable = [] }: { unreadable?: string[] }): C => {
  const result = { ...changes }
  for (const field of unreadable) {
    if (result[field] !== undefined && !isEmpty(result[field]))
      throw unprocessable(messages.undecryptable(field), field)
    delete result[field]
  }
  return result
}
