/** The usage of a custom voice that is reported to Google. */
export const reportedUsages = [
  { value: 'REPORTED_USAGE_UNSPECIFIED', name: 'Unspecified' },
  { value: 'REALTIME', name: 'Real time' },
  { value: 'OFFLINE', name: 'Offline' },
] as const

export const defaultUsage = 'REALTIME'
