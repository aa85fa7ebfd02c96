/** What Google is told a custom voice is used for; the second unless said. */
export const reportedUsages = [
  { value: 'REPORTED_USAGE_UNSPECIFIED', name: 'Unspecified' },
  { value: 'REALTIME', name: 'Real time' },
  { value: 'OFFLINE', name: 'Offline' },
] as const

export const defaultUsage = 'REALTIME'
