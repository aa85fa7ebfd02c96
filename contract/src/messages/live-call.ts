/** The sentences about calls in progress. */
export const messages = {
  unavailable: 'The platform does not answer. Try again later.',
  hangUp: (from: string, to: string) => `Hang up the call from ${from} to ${to}?`,
  hungUp: 'The call is being hung up',
  /** Of a call of which it is not known when it began. */
  over: (length: string) => `${length}+`,
  noServers: 'no available feature servers at this time',
} as const
