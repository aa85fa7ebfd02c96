/** The sentences about the platform's own settings. */
export const messages = {
  wrongNetwork: (entry: string) => `Invalid private network CIDR "${entry}"`,
  passwordSaved: 'Password settings successfully updated',
} as const
