import type { HostedEdition } from '../src/config/hosted-edition'

/** The hosted edition without external services. */
export const hostedEdition: HostedEdition = {
  requiresInviteCode: false,
  trial: { days: 21, callSessions: 5 },
}
