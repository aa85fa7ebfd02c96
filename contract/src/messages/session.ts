/** The sentences about signing in and out. */
export const messages = {
  expired: 'Your session has expired. Please log in and try again.',
  unreachable: 'The server cannot be reached',
  wrongCredentials: 'Login credentials are incorrect',
  tooManyAttempts: 'Too many attempts. Please wait a moment and try again.',
  failed: 'Something went wrong, please try again',
  mustLogIn: 'You must log in to view that page',
  loggedOut: "You've successfully logged out.",
  commonPassword: 'This password is too common. Choose one that is harder to guess.',
  passwordsDiffer: 'Passwords do not match',
  capsLock: 'CAPSLOCK is enabled!',
  passwordRule: {
    title: 'Password must:',
    length: (minimum: number) => `Be at least ${minimum} characters long`,
    digit: 'Contain at least one number',
    special: 'Contain at least one special character',
    most: (maximum: number) => `Be at most ${maximum} characters long`,
  },
  mustChangePassword: 'Change your password before you go on',
  viewOnly: 'User has view-only access',
} as const
