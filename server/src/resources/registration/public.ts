export { findRegistrationProvider, findSetupProblem, readRootDomain } from './provider'
export { findUnconfirmedSignIn } from './unconfirmed-sign-in'
