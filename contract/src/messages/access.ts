/**
 * Access errors that the console shows before it loads a page. They are separate because all other messages load with
 * their pages.
 */
export const messages = {
  foreignAccount: 'You do not have access.',
  mayNotListAllLcrs: 'You do not have permissions to manage all outbound call routes',
} as const
