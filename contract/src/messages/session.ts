export const messages = {
  expired: 'Your session has expired. Please log in and try again.',
  unreachable: 'The server cannot be reached',
  retrying: 'The connection to the server was lost. Trying again…',
  wrongCredentials: 'Login credentials are incorrect',
  tooManyAttempts: 'Too many attempts. Please wait a moment and try again.',
  failed: 'Something went wrong, please try again',
  mustLogIn: 'You must log in to view that page',
  loggedOut: "You've successfully logged out.",
  capsLock: 'CAPSLOCK is enabled!',
  mustChangePassword: 'Change your password to continue',
  viewOnly: 'User has view-only access',
} as const
