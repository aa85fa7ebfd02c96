/** The sentences about calls that have ended, and about alerts. */
export const messages = {
  none: 'No data.',
  /** Of a store that has to read each call to add them up. */
  tooMany: 'There are too many calls to add up. Choose fewer days.',
  linked: 'Link to this call',
} as const
