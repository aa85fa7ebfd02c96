import { messages } from '@trunkline/contract/messages/api-key'

export const expiryOptions = [
  { value: '', label: messages.noExpiry },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Custom date' },
]

/** The last second of a day, in local time. */
const endOfDay = (year: number, month: number, day: number) => new Date(year, month, day, 23, 59, 59)

/** Formats a date for a date input: '2026-11-21'. */
export const toDateInput = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** The time when a key with this choice expires. Undefined if it never does, or if the date is incomplete. */
export const getExpiry = (choice: string, date: string, now = new Date()): Date | undefined => {
  if (choice === 'date') {
    const [year, month, day] = date.split('-').map(Number)
    return year && month && day ? endOfDay(year, month - 1, day) : undefined
  }
  return choice ? endOfDay(now.getFullYear(), now.getMonth(), now.getDate() + Number(choice)) : undefined
}
