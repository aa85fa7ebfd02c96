export { createAuthenticator } from './authenticator'
export { logSignIn } from './sign-in-log'
