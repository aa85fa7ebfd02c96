export const messages = {
  wrongPassword: 'The password is incorrect.',
  linkExpired: 'This link has expired or was already used.',
  sent: (email: string) => `Open the link that was sent to ${email} to confirm it.`,
  confirmed: 'Your email address is confirmed.',
} as const
