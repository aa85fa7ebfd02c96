import { messages } from '@trunkline/contract/messages/general'
import type { Row } from '../db/repository'
import { unprocessable } from './problem'

/** Is nothing said, in whichever form clients send that? A bucket has a vendor that stands for none. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' &&
    Object.entries(value as Row).every(([name, each]) => name === 'vendor' && (!each || each === 'none')))

/**
 * Changes without those of values that this server cannot read. Such a value was shown as none: where none comes back it
 * stays as it is. Another one is refused, because the former would be lost, and both are in the wrong hands of a secret.
 */
export const withoutUnreadable = <C extends Row>(changes: C, { unreadable = [] }: { unreadable?: string[] }): C => {
  const result = { ...changes }
  for (const field of unreadable) {
    if (result[field] !== undefined && !isEmpty(result[field])) throw unprocessable(messages.unreadable(field), field)
    delete result[field]
  }
  return result
}
