import { afterEach, describe, expect, it } from 'vitest'
import { readBody, sendJson, startHttpServer } from '../../../test/doubles/http-server'
import { IdentityRefusedError } from '../../ports/identity-provider'
import { UnavailableError } from '../../ports/service-errors'
import { createGithubIdentityProvider } from './github'
import { createGoogleIdentityProvider } from './google'

type Response = [status: number, body: unknown]

const authorizationResponse = { code: 'c&d', state: 's', redirectUri: 'https://voice.example.com/oauth-callback/x' }
const token: Response = [200, { access_token: 'token-1' }]
const githubUser: Response = [200, { id: 7, login: 'Nora', avatar_url: 'https://example.org/7' }]
const githubEmails: Response = [
  200,
  [
    { email: 'work@example.org', primary: false, verified: true },
    { email: 'Nora@Example.org', primary: true, verified: true },
  ],
]

describe('an identity provider', () => {
  let stop: () => Promise<void> = () => Promise.resolve()
  afterEach(() => stop())

  let requests: { method: string | undefined; url: string | undefined; authorization?: string; body: string }[] = []

  /** Starts a server with these responses by path. A path without one never gets a response. */
  const start = async (responses: Record<string, Response>) => {
    requests = []
    const server = await startHttpServer((request, response) => {
      void readBody(request).then((body) => {
        const { method, url, headers } = request
        requests.push({
          method,
          url,
          ...(headers.authorization ? { authorization: headers.authorization } : {}),
          body: body.toString(),
        })
        const [status, json] = responses[url ?? ''] ?? []
        if (status === undefined) return
        if (typeof json === 'string') response.writeHead(status).end(json)
        else sendJson(response, status, json)
      })
    })
    stop = () => server.stop()
    const options = {
      clientId: 'id',
      clientSecret: 'secret',
      tokenUrl: `${server.address}/token`,
      timeoutMs: 500,
    }
    return {
      github: createGithubIdentityProvider({ ...options, apiUrl: server.address }),
      google: createGoogleIdentityProvider({ ...options, userinfoUrl: `${server.address}/userinfo` }),
    }
  }

  it('gets the code with our credentials, and the redirect URI and verifier of the browser', async () => {
    const { github } = await start({ '/token': token, '/user': githubUser, '/user/emails': githubEmails })
    expect(await github.identify({ ...authorizationResponse, codeVerifier: 'v' })).toEqual({
      id: '7',
      userid: 'Nora',
      email: 'nora@example.org',
      picture: 'https://example.org/7',
    })
    expect(Object.fromEntries(new URLSearchParams(requests[0]!.body))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'id',
      client_secret: 'secret',
      code: 'c&d',
      state: 's',
      redirect_uri: authorizationResponse.redirectUri,
      code_verifier: 'v',
    })
    expect(requests.slice(1).map(({ url, authorization }) => [url, authorization])).toEqual([
      ['/user', 'Bearer token-1'],
      ['/user/emails', 'Bearer token-1'],
    ])
  })

  it.each([
    [{ email: 'a@example.org', primary: true, verified: false }],
    [{ email: 'a@example.org', primary: false, verified: true }],
  ])('at GitHub has no address unless it is primary and verified: %j', async (email) => {
    const { github } = await start({ '/token': token, '/user': githubUser, '/user/emails': [200, [email]] })
    expect(await github.identify(authorizationResponse)).not.toHaveProperty('email')
  })

  it.each([
    [
      { id: '7', email: 'A@example.org', verified_email: true },
      { id: '7', userid: '7', email: 'a@example.org' },
    ],
    [
      { sub: '7', email: 'a@example.org', email_verified: true },
      { id: '7', userid: '7', email: 'a@example.org' },
    ],
    [
      { id: '7', email: 'a@example.org', verified_email: false },
      { id: '7', userid: '7' },
    ],
    [
      { id: '7', email: 'a@example.org' },
      { id: '7', userid: '7' },
    ],
  ])('at Google has only a verified address: %j', async (userinfo, identity) => {
    const { google } = await start({ '/token': token, '/userinfo': [200, userinfo] })
    expect(await google.identify(authorizationResponse)).toEqual(identity)
  })

  it.each<[Response, string]>([
    [[200, { error: 'bad_verification_code', error_description: 'The code is incorrect.' }], 'bad verification code'],
    [[400, { error: 'invalid_grant' }], 'invalid grant'],
    [[401, { error: '<script>', access_token: 'token-1' }], 'invalid grant'],
    [[400, { error: { message: 'x' } }], 'invalid grant'],
  ])('refuses a code: %j', async (response, message) => {
    const { github, google } = await start({ '/token': response })
    for (const provider of [github, google]) {
      const result = provider.identify(authorizationResponse)
      await expect(result).rejects.toThrow(new IdentityRefusedError(message))
      await expect(result).rejects.toBeInstanceOf(IdentityRefusedError)
    }
  })

  it('refuses a token without access to the addresses', async () => {
    const { github } = await start({
      '/token': token,
      '/user': githubUser,
      '/user/emails': [404, { message: 'Not Found' }],
    })
    await expect(github.identify(authorizationResponse)).rejects.toThrow('GitHub does not disclose your email address')
  })

  it.each<[string, Record<string, Response>]>([
    ['does not respond', {}],
    ['does not send the user', { '/token': token }],
    ['fails', { '/token': [500, {}] }],
    ['limits requests', { '/token': [429, {}] }],
    ['sends a page', { '/token': [200, '<html>'] }],
    ['redirects', { '/token': [302, ''] }],
    ['sends no token', { '/token': [200, { access_token: 5 }] }],
    ['sends too much', { '/token': [200, ' '.repeat(300_000)] }],
    ['sends another user', { '/token': token, '/user': [200, { id: 'x' }], '/userinfo': [200, { id: 5 }] }],
    ['sends no list of addresses', { '/token': token, '/user': githubUser, '/user/emails': [200, {}] }],
  ])('is unavailable if it %s', async (condition, responses) => {
    const { github, google } = await start(responses)
    await expect(github.identify(authorizationResponse)).rejects.toBeInstanceOf(UnavailableError)
    if (condition !== 'sends no list of addresses')
      await expect(google.identify(authorizationResponse)).rejects.toBeInstanceOf(UnavailableError)
  })
})
