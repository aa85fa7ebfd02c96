/** Signing in and registering with an account of another company. */
export const messages = {
  names: { google: 'Google', github: 'Github' },
  signIn: (name: string) => `Sign In With ${name}`,
  signUp: (name: string) => `Sign Up With ${name}`,
  signingIn: (name: string) => `Signing in with ${name}`,
  checking: (name: string) => `Checking with ${name}`,
  failed: {
    title: (name: string) => `${name} sign-in failed`,
    help: 'No account was created and nothing was changed.',
    retry: (name: string) => `Try again with ${name}`,
  },
  notRegistered: {
    title: (name: string) => `No account for this ${name} user`,
    help: (name: string) => `Register first, then you can sign in with ${name}.`,
  },
} as const
