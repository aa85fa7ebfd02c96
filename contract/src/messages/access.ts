/**
 * Access errors that the list of screens shows. They are in their own file so that the first load of the console does not
 * include the messages of those screens.
 */
export const messages = {
  foreignAccount: 'You do not have access.',
  mayNotListAllLcrs: 'You do not have permissions to manage all outbound call routes',
} as const
