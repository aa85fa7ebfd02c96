export const messages = {
  unavailable: 'The platform does not respond. Try again later.',
  hangUp: (from: string, to: string) => `Hang up the call from ${from} to ${to}?`,
  hangingUp: 'Hanging up the call',
  ended: 'This call has ended.',
  notInProgress: 'This call is not in progress.',
  showEnded: 'Show the ended call',
  /** The minimum duration of a call with an unknown start time. */
  minimumDuration: (length: string) => `${length}+`,
  inactiveAccount: 'The account is not active, so it makes no calls.',
  noFeatureServers: 'no available feature servers at this time',
} as const
