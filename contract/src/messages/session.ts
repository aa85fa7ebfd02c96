/** The sentences about signing in and out. */
export const messages = {
  expired: 'Your session has expired. Please log in and try again.',
  unreachable: 'The server cannot be reached',
  wrongCredentials: 'Login credentials are incorrect',
  failed: 'Something went wrong, please try again',
  mustLogIn: 'You must log in to view that page',
  loggedOut: "You've successfully logged out.",
  passwordsDiffer: 'Passwords do not match',
  capsLock: 'CAPSLOCK is enabled!',
  passwordRule: {
    title: 'Password must:',
    length: (minimum: number) => `Be at least ${minimum} characters long`,
    digit: 'Contain at least one number',
    special: 'Contain at least one special character',
    most: (maximum: number) => `Be at most ${maximum} characters long`,
  },
  reset: {
    sent: 'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.',
    badAddress: 'invalid or missing email',
    tooMany: 'Too many requests, please try again later.',
    dead: 'This link has expired or has been used already.',
    done: 'Your password has been changed. Please log in with it.',
  },
  viewOnly: 'User has view-only access',
} as const
