import { messages } from '@trunkline/contract/messages/api-key'

const dayMs = 86_400_000

const startOfDayMs = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

/** Formats the last use in days: Today, Yesterday, N days ago, Never used. */
export const formatLastUsed = (timestamp: string | null | undefined, now = new Date()): string => {
  const date = timestamp ? new Date(timestamp) : undefined
  if (!date || Number.isNaN(date.getTime())) return messages.neverUsed
  // rounded, because days with a clock change have 23 or 25 hours
  const days = Math.max(0, Math.round((startOfDayMs(now) - startOfDayMs(date)) / dayMs))
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return `${days} days ago`
}
