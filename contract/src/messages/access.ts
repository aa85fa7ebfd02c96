/**
 * Errors of users who open a screen of the console that they may not open. They are in their own file so that the console's
 * first download does not include all other messages of those screens.
 */
export const messages = {
  foreignAccount: 'You do not have access.',
  mayNotSeeSystemHealth: 'You do not have permissions to see the health of the system',
  mayNotListAllLcrs: 'You do not have permissions to manage all outbound call routes',
} as const
