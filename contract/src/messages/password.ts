/** Messages about new passwords. They are in their own file so that the sign-in screen does not include them. */
export const messages = {
  common: 'This password is too common. Choose one that is harder to guess.',
  differ: 'Passwords do not match',
  rule: {
    title: 'Password must:',
    length: (minimum: number) => `Be at least ${minimum} characters long`,
    digit: 'Contain at least one number',
    special: 'Contain at least one special character',
    maxLength: (maximum: number) => `Be at most ${maximum} characters long`,
  },
} as const
