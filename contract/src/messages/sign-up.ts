/** The screens on which people register an account. */
export const messages = {
  trial: ({ days, callSessions, devices }: { days: number; callSessions: number; devices: number }) =>
    `New accounts start with a ${days}-day trial: ${callSessions} simultaneous ${callSessions === 1 ? 'call' : 'calls'} and ${devices} registered ${devices === 1 ? 'device' : 'devices'}. No card needed.`,
  acceptTermsFirst: 'Accept the terms to choose how you sign up.',
  termsRequired: 'Accept the Terms of Service and Privacy Policy to continue.',
  withEmail: 'Sign Up With Email',
  invalidEmail: 'Enter a valid email address.',
  inviteCodeRequired: 'Enter your invite code.',
  inviteCodeHelp: 'Registration is by invitation.',
  codeIsSent: 'We send a 6-digit code to this address to confirm that it is yours.',
  code: {
    help: '6 digits. The code is checked as soon as it is complete.',
    incomplete: 'Enter all 6 digits of the code.',
    sent: (email: string) => `A new code was sent to ${email}`,
  },
} as const
