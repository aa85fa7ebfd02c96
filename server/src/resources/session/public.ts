export { entrance } from './authenticator'
export { logSignIn } from './sign-in-log'
