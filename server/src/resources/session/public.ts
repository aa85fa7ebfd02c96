export { createAuthenticator, type AuthenticatorServices } from './authenticator'
export { logSignIn } from './sign-in-log'
