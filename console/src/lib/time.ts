const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' })

/** Formats a date as 'Dec 04, 2026'. Returns '' for an invalid one. */
export const formatDate = (timestamp: string | null | undefined): string => {
  const date = timestamp ? new Date(timestamp) : undefined
  return !date || Number.isNaN(date.getTime()) ? '' : dayFormat.format(date)
}
