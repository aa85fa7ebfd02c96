import { createHash } from 'node:crypto'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setFeatureFlags } from '../lib/feature-flags'
import { getIdentityProviders, prepareAuthorization, takeAuthorization } from './oauth'
import { clearAuthorization } from './pending-authorization'

const enable = (flags: object = {}) =>
  setFeatureFlags({
    ...defaultFeatureFlags,
    hosted: true,
    githubClientId: 'github-client',
    googleClientId: 'google-client',
    ...flags,
  })

beforeEach(() => void enable())
afterEach(() => {
  localStorage.clear()
  setFeatureFlags(defaultFeatureFlags)
})

const prepare = async (provider: 'github' | 'google') => {
  const url = new URL(await prepareAuthorization(provider, '/register'))
  return { address: url.origin + url.pathname, parameters: Object.fromEntries(url.searchParams) }
}

it('offers only identity providers with a client ID', () => {
  expect(getIdentityProviders()).toEqual(['google', 'github'])
  enable({ googleClientId: null })
  expect(getIdentityProviders()).toEqual(['github'])
})

describe('the authorization URL', () => {
  it('of GitHub requests the e-mail address', async () => {
    const { address, parameters } = await prepare('github')
    expect(address).toBe('https://github.com/login/oauth/authorize')
    expect(parameters).toEqual({
      scope: 'user:email',
      allow_signup: 'false',
      client_id: 'github-client',
      state: localStorage.getItem('oauth-state'),
    })
  })

  it('of Google contains the callback screen', async () => {
    const { address, parameters } = await prepare('google')
    expect(address).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(parameters).toEqual({
      scope: 'email profile',
      access_type: 'offline',
      include_granted_scopes: 'true',
      response_type: 'code',
      redirect_uri: `${window.location.origin}/oauth-callback/google`,
      client_id: 'google-client',
      state: localStorage.getItem('oauth-state'),
    })
  })

  it('uses the authorization servers of the installation', async () => {
    enable({ githubAuthorizationUrl: 'https://github.example.com/login/oauth/authorize?tenant=1' })
    const { address, parameters } = await prepare('github')
    expect(address).toBe('https://github.example.com/login/oauth/authorize')
    expect(parameters.tenant).toBe('1')
  })

  it('contains a new random state each time', async () => {
    const states = await Promise.all([1, 2, 3].map(async () => (await prepare('github')).parameters.state))
    expect(new Set(states).size).toBe(3)
    for (const state of states) expect(state).toMatch(/^github\.[\w-]{43}$/)
  })

  it('contains a PKCE challenge if the server uses PKCE', async () => {
    enable({ oauthPkce: true })
    const { parameters } = await prepare('google')
    const verifier = localStorage.getItem('trunkline.oauth-verifier')!
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(parameters.code_challenge).toBe(createHash('sha256').update(verifier).digest('base64url'))
    expect(parameters.code_challenge_method).toBe('S256')
  })
})

describe('the response of an identity provider', () => {
  it('is accepted once', async () => {
    enable({ oauthPkce: true })
    const { parameters } = await prepare('github')
    const verifier = localStorage.getItem('trunkline.oauth-verifier')
    const response = { code: 'c', state: parameters.state! }
    expect(takeAuthorization('github', response)).toEqual({
      provider: 'github',
      code: 'c',
      state: parameters.state,
      verifier,
      pathBeforeOauth: '/register',
    })
    expect(localStorage.length).toBe(0)
    expect(takeAuthorization('github', response)).toEqual({ error: 'Invalid state' })
  })

  it.each([
    ['has another state', 'github', { code: 'c', state: 'github.other' }, 'Invalid state'],
    ['has no state', 'github', { code: 'c' }, 'Invalid state'],
    ['has no code, as after a cancellation', 'github', {}, 'Invalid state'],
    ['comes from an unknown provider', 'twitter', { code: 'c' }, 'twitter is not a valid OAuth provider'],
    ['names a property of every object', 'toString', { code: 'c' }, 'toString is not a valid OAuth provider'],
  ])('is refused if it %s', async (_, provider, response, error) => {
    await prepare('github')
    expect(takeAuthorization(provider, response)).toEqual({ error })
    // also after a refusal
    expect(localStorage.length).toBe(0)
  })

  it('is refused if it comes from another provider than the chosen one', async () => {
    const { parameters } = await prepare('google')
    expect(takeAuthorization('github', { code: 'c', state: parameters.state! })).toEqual({ error: 'Invalid state' })
  })

  it('is refused if this browser requested nothing', () => {
    clearAuthorization()
    expect(takeAuthorization('github', { code: 'c', state: '' })).toEqual({ error: 'Invalid state' })
  })
})
