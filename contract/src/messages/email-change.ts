export const messages = {
  wrongPassword: 'This is not your password.',
  dead: 'This link has expired or has been used already.',
  sent: (email: string) => `Open the link that was sent to ${email} to confirm it.`,
  confirmed: 'Your email address is confirmed.',
} as const
