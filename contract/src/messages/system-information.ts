/** The sentences about the platform's own settings. */
export const messages = {
  wrongNetwork: (entry: string) => `Invalid private network CIDR "${entry}"`,
  saved: 'Admin settings updated successfully',
  passwordSaved: 'Password settings successfully updated',
} as const
