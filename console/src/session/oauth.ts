import { messages as providerMessages } from '@trunkline/contract/messages/identity-provider'
import { messages } from '@trunkline/contract/messages/registration'
import type { IdentityProvider } from '@trunkline/contract/shapes/registration'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { localValues } from '../lib/storage'
import { clearAuthorization } from './pending-authorization'

/**
 * The screen on which the user chose the identity provider, as the API names it. From the sign-in screen, the server
 * registers nobody.
 */
export type PathBeforeOauth = '/sign-in' | '/register'

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

const generateSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

const isIdentityProvider = (provider: string): provider is IdentityProvider =>
  Object.hasOwn(providerMessages.names, provider)

/** The client ID of this installation. Without one, users cannot sign in with the provider. */
export const getOauthClientId = (provider: IdentityProvider): string | null => {
  const { githubClientId, googleClientId } = getFeatureFlags()
  return { github: githubClientId, google: googleClientId }[provider]
}

/** The identity providers of this installation, in the order of their buttons. */
export const getIdentityProviders = (): IdentityProvider[] =>
  (['google', 'github'] as const).filter((provider) => getOauthClientId(provider))

export const getRedirectUri = (provider: IdentityProvider): string =>
  window.location.origin + paths.oauthCallback.replace('$provider', provider)

/** Builds the URL of the provider's page. */
const buildAuthorizationUrl = (provider: IdentityProvider, state: string): URL => {
  const { githubAuthorizationUrl, googleAuthorizationUrl } = getFeatureFlags()
  const url = new URL(provider === 'github' ? githubAuthorizationUrl : googleAuthorizationUrl)
  const parameters: Record<string, string> =
    provider === 'github'
      ? { scope: 'user:email', allow_signup: 'false' }
      : {
          scope: 'email profile',
          access_type: 'offline',
          include_granted_scopes: 'true',
          response_type: 'code',
          redirect_uri: getRedirectUri(provider),
        }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  url.searchParams.set('client_id', getOauthClientId(provider) ?? '')
  url.searchParams.set('state', state)
  return url
}

/** Stores a PKCE verifier and adds its challenge to the URL. Browsers compute hashes on secure origins only. */
const addPkceChallenge = async (url: URL): Promise<void> => {
  const { subtle } = crypto as Partial<Crypto>
  if (!getFeatureFlags().oauthPkce || !subtle) return
  const verifier = generateSecret()
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  localValues.oauthVerifier.set(verifier)
  url.searchParams.set('code_challenge', toBase64Url(new Uint8Array(hash)))
  url.searchParams.set('code_challenge_method', 'S256')
}

/** Returns the URL of the provider's page, and stores what the callback screen needs to check the response. */
export const prepareAuthorization = async (
  provider: IdentityProvider,
  pathBeforeOauth: PathBeforeOauth,
): Promise<string> => {
  clearAuthorization()
  // The state names its provider, so that the callback of another provider does not accept it.
  const state = `${provider}.${generateSecret()}`
  localValues.oauthState.set(state)
  localValues.pathBeforeOauth.set(pathBeforeOauth)
  const url = buildAuthorizationUrl(provider, state)
  await addPkceChallenge(url)
  return url.href
}

/** The response of an identity provider, which this browser has requested. */
export interface Authorization {
  provider: IdentityProvider
  code: string
  state: string
  verifier: string | null
  pathBeforeOauth: PathBeforeOauth
}

/**
 * Checks the response of an identity provider. Returns an error message if it does not belong to an authorization of
 * this browser. The stored state is removed, so that the same response is never accepted twice.
 */
export const takeAuthorization = (
  provider: string,
  { code, state }: { code?: string; state?: string },
): Authorization | { error: string } => {
  const storedState = localValues.oauthState.get()
  const verifier = localValues.oauthVerifier.get()
  const pathBeforeOauth = localValues.pathBeforeOauth.get() === '/register' ? '/register' : '/sign-in'
  clearAuthorization()
  if (!isIdentityProvider(provider)) return { error: messages.invalidProvider(provider) }
  if (!code || !state || state !== storedState || !state.startsWith(`${provider}.`))
    return { error: messages.invalidState }
  return { provider, code, state, verifier, pathBeforeOauth }
}
