import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const edition = { ...hostedEdition }
const { render, requestAs, testData } = useBackend({ hostedEdition: edition })

beforeAll(() => {
  edition.serviceProviderSid = testData().providers.north
})
afterEach(() => vi.restoreAllMocks())

const features = { hosted: true, githubClientId: 'github-client', googleClientId: 'google-client' }
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })

/** Stores what the sign-in or registration page has stored before the identity provider sends the user back. */
const storeAuthorization = (pathBeforeOauth = '/sign-in') => {
  localStorage.setItem('oauth-state', 'github.s')
  localStorage.setItem('location-before-oauth', pathBeforeOauth)
  localStorage.setItem('trunkline.oauth-verifier', 'v')
}

/** Answers POST /register in place of the server, which needs an identity provider for it. Returns the bodies. */
const respondToRegister = (status: number, body: object) => {
  const bodies: unknown[] = []
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (!requestUrl(input).endsWith('/v1/register')) return send(input, init)
    bodies.push(JSON.parse(init?.body as string))
    const headers = { 'content-type': 'application/json' }
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }))
  })
  return bodies
}

describe('the page to which identity providers send users back', () => {
  it.each([
    ['/oauth-callback/github?code=c&state=github.other', 'Invalid state'],
    ['/oauth-callback/github?state=github.s&error=access_denied', 'Invalid state'],
    ['/oauth-callback/google?code=c&state=github.s', 'Invalid state'],
    ['/oauth-callback/twitter?code=c&state=github.s', 'twitter is not a valid OAuth provider'],
  ])('leads %s to the sign-in page, without a request', async (path, message) => {
    storeAuthorization()
    const bodies = respondToRegister(200, {})
    const { currentPath } = await render(path, { features })
    expect(await screen.findByText(message)).toBeTruthy()
    await findTitle('Log in')
    expect(currentPath()).toBe('/')
    expect(bodies).toEqual([])
    expect({ ...localStorage }).toEqual({})
  })

  it('sends the code and the verifier, removes them from the URL, and shows why the sign-in failed', async () => {
    storeAuthorization()
    const bodies = respondToRegister(403, { msg: 'bad verification code' })
    const { currentPath } = await render('/oauth-callback/github?code=c&state=github.s', { features })
    await findTitle('Github sign-in failed')
    expect(screen.getByText('bad verification code').closest('[role=alert]')).toBeTruthy()
    expect(bodies).toEqual([
      {
        provider: 'github',
        service_provider_sid: null,
        oauth2_code: 'c',
        oauth2_state: 'github.s',
        oauth2_client_id: 'github-client',
        oauth2_redirect_uri: `${window.location.origin}/oauth-callback/github`,
        oauth2_code_verifier: 'v',
        locationBeforeAuth: '/sign-in',
      },
    ])
    expect(currentPath()).toBe('/oauth-callback/github')
    expect({ ...localStorage }).toEqual({})
    expect(screen.getByRole('button', { name: 'Try again with Github' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to log in' }).getAttribute('href')).toBe('/')
  })

  it('leads unknown users of the sign-in page to the registration', async () => {
    storeAuthorization()
    respondToRegister(404, { msg: 'registering a new account not allowed from the sign-in page' })
    await render('/oauth-callback/github?code=c&state=github.s', { features })
    await findTitle('No account for this Github user')
    expect(screen.getByText('registering a new account not allowed from the sign-in page')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Register' }).getAttribute('href')).toBe('/register')
  })

  it('shows that the address belongs to another user', async () => {
    storeAuthorization('/register')
    sessionStorage.setItem('invite-code', 'ABC123')
    const bodies = respondToRegister(400, { msg: 'user already exists with email jo@example.com' })
    await render('/oauth-callback/github?code=c&state=github.s', { features })
    await findTitle('Github sign-in failed')
    expect(screen.getByText('user already exists with email jo@example.com')).toBeTruthy()
    expect(bodies).toMatchObject([{ locationBeforeAuth: '/register', inviteCode: 'ABC123' }])
  })

  it.each([
    [null, '/register/choose-a-subdomain'],
    ['acme.sip.example.com', undefined],
  ])('signs in, and an account with the realm %s continues', async (realm, path) => {
    const accountPath = `/internal/accounts/${testData().accounts.acme}/edit`
    await requestAs('admin', 'PUT', `/Accounts/${testData().accounts.acme}`, { sip_realm: realm })
    const { token } = await requestAs<{ token: string }>('acme', 'POST', '/login', {
      username: 'acme',
      password: 'Correct-horse-1',
    })
    storeAuthorization()
    respondToRegister(200, { jwt: token, root_domain: 'sip.example.com' })
    const { currentPath } = await render('/oauth-callback/github?code=c&state=github.s', { features })
    await waitFor(() => expect(currentPath()).toBe(path ?? accountPath))
    expect(localStorage.getItem('token')).toBe(token)
    expect(localStorage.getItem('root-domain')).toBe('sip.example.com')
  })
})
