export const messages = {
  invalidNetwork: (entry: string) => `Invalid private network CIDR "${entry}"`,
  passwordSaved: 'Password settings successfully updated',
} as const
