/** The sentences about calls in progress. */
export const messages = {
  unavailable: 'The platform does not answer. Try again later.',
  hangUp: (from: string, to: string) => `Hang up the call from ${from} to ${to}?`,
  hungUp: 'The call is being hung up',
  noServers: 'no available feature servers at this time',
} as const
