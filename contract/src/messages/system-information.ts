export const messages = {
  invalidNetwork: (entry: string) => `"${entry}" is not an IPv4 address or a network such as 10.0.0.0/8.`,
  passwordSaved: 'Password settings successfully updated',
} as const
