/** Refusals that the console shows before a page is loaded: apart from the other sentences, which come with their pages. */
export const messages = {
  foreignAccount: 'You do not have access.',
  mayNotManageAllRoutes: 'You do not have permissions to manage all outbound call routes',
} as const
