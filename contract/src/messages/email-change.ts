export const messages = {
  wrongPassword: 'The password is incorrect.',
  linkExpired: 'This link has expired or was already used.',
  sent: (email: string) => `To confirm this address, open the link that was sent to ${email}.`,
  confirmed: 'Your email address is confirmed.',
} as const
