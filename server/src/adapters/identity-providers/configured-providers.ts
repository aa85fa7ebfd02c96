import type { IdentityProviders } from '../../ports/identity-provider'
import { createGithubIdentityProvider, type GithubOptions } from './github'
import { createGoogleIdentityProvider, type GoogleOptions } from './google'

/** Creates the identity providers that the installation is registered with. */
export const createIdentityProviders = ({
  github,
  google,
}: { github?: GithubOptions; google?: GoogleOptions } = {}): IdentityProviders => ({
  ...(github ? { github: createGithubIdentityProvider(github) } : {}),
  ...(google ? { google: createGoogleIdentityProvider(google) } : {}),
})
