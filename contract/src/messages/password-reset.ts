export const messages = {
  sent: 'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.',
  invalidEmail: 'invalid or missing email',
  tooMany: 'Too many requests, please try again later.',
  linkExpired: 'This link has expired or was already used.',
  mismatch: 'The confirmation password does not match the new password. Please ensure both passwords are identical.',
  tooShort: 'The password must be at least 7 characters long.',
  noLetter: 'Password must contain a letter.',
  passwordSet: 'New password was successfully set.',
} as const
