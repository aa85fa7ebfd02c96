import { messages } from '@trunkline/contract/messages/api-key'

const dayLength = 86_400_000

const midnight = (moment: Date) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()

/** Formats the last use in days: Today, Yesterday, N days ago, Never used. */
export const formatLastUsed = (moment: string | null | undefined, now = new Date()): string => {
  const then = moment ? new Date(moment) : undefined
  if (!then || Number.isNaN(then.getTime())) return messages.neverUsed
  // rounded, because days with a clock change have 23 or 25 hours
  const days = Math.max(0, Math.round((midnight(now) - midnight(then)) / dayLength))
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return `${days} days ago`
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' })

/** Formats a date as 'Dec 04, 2026'. Returns '' for an invalid one. */
export const formatDate = (moment: string | null | undefined): string => {
  const then = moment ? new Date(moment) : undefined
  return !then || Number.isNaN(then.getTime()) ? '' : dayFormat.format(then)
}
