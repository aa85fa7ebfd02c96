import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { startIdentityClient, type IdentityClient } from '../../../test/identity-client'

describe.each(databaseEngines)('the code of an identity provider (%s)', (databaseEngine) => {
  let client: IdentityClient
  beforeAll(async () => {
    client = await startIdentityClient({ databaseEngine })
  })
  afterAll(() => client.close())
  afterEach(() => client.oauthProvider.responses.clear())

  it('requires the verifier of a PKCE challenge', async () => {
    const identity = client.addIdentity()
    const verifier = randomBytes(32).toString('base64url')
    const send = async (fields: object) =>
      client.anonymousClient(
        'POST',
        '/register',
        client.buildBody('google', await client.fetchCode('google', identity, verifier), fields),
      )
    for (const fields of [{}, { oauth2_code_verifier: randomBytes(32).toString('base64url') }])
      expect(await send(fields)).toMatchObject({ status: 403, body: { msg: 'invalid grant' } })
    expect((await send({ oauth2_code_verifier: verifier })).status).toBe(200)
  })

  it('opens one session per code, and neither stores nor logs codes', async () => {
    const code = await client.fetchCode('github', client.addIdentity())
    const send = () => client.anonymousClient('POST', '/register', client.buildBody('github', code))
    const responses = await Promise.all([send(), send(), send()])
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await send()).toMatchObject({
      status: 403,
      body: { msg: 'This sign-in was already used. Start it again.' },
    })
    expect(client.log()).toMatch(/"security_event":"sign_in_failed".*"reason":"used code"/)
    expect(client.log()).not.toContain(code)
    const counts = await client.database.db.selectFrom('trunkline_attempt_counts').selectAll().execute()
    expect(JSON.stringify(counts)).not.toContain(code)
  })

  it('refuses an unknown code with the error of the provider', async () => {
    const body = client.buildBody('github', 'unknown')
    expect(await client.anonymousClient('POST', '/register', body)).toMatchObject({
      status: 403,
      body: { msg: 'bad verification code' },
    })
    expect(client.log()).toMatch(/"security_event":"sign_in_failed".*"reason":"refused by the identity provider"/)
  })

  it.each([
    ['/login/oauth/access_token', 500],
    ['/api/user', 503],
    ['/api/user/emails', 502],
  ])('responds with 503 if %s of the provider fails', async (path, providerStatus) => {
    const identity = client.addIdentity()
    client.oauthProvider.responses.set(path, (response) => void response.writeHead(providerStatus).end('{}'))
    const { status, body, headers } = await client.signIn('github', identity)
    expect({ status, body }).toEqual({ status: 503, body: { msg: 'GitHub failed. Try again later.' } })
    expect(headers['retry-after']).toBe('5')
    expect(await client.findUsers(identity.email)).toEqual([])
  })

  it.each<[string, Record<string, unknown>, number, string]>([
    ['a code', { oauth2_code: undefined }, 400, 'missing oauth2_code for provider github'],
    ['a state', { oauth2_state: '' }, 400, 'missing oauth2_state for provider github'],
    ['a client ID', { oauth2_client_id: 5 }, 400, 'missing oauth2_client_id for provider github'],
    ['a redirect URI', { oauth2_redirect_uri: null }, 400, 'missing oauth2_redirect_uri for provider github'],
    ['the client ID of this installation', { oauth2_client_id: 'other' }, 400, 'invalid oauth2_client_id'],
    [
      'the callback page of this installation',
      { oauth2_redirect_uri: 'https://evil.example.com/oauth-callback/github' },
      400,
      'invalid oauth2_redirect_uri',
    ],
    ['a known provider', { provider: 'twitter' }, 422, 'invalid provider: twitter'],
    ['a provider that is no property of objects', { provider: 'constructor' }, 422, 'invalid provider: constructor'],
  ])('requires %s', async (_, fields, status, msg) => {
    const body = client.buildBody('github', 'x', fields)
    expect(await client.anonymousClient('POST', '/register', body)).toMatchObject({ status, body: { msg } })
  })

  it('refuses hostile values, and never fails', async () => {
    const values = [
      null,
      0,
      true,
      [],
      {},
      '\u0000',
      '\ud800',
      '😀'.repeat(8),
      'x'.repeat(3000),
      '__proto__',
      'a\r\nb: c',
    ]
    const validBody = client.buildBody('google', 'unknown', { oauth2_code_verifier: 'v' })
    for (const field of Object.keys(validBody))
      for (const value of values) {
        const { status } = await client.anonymousClient('POST', '/register', { ...validBody, [field]: value })
        expect({ field, value, status }).toMatchObject({
          status: expect.toSatisfy((code) => code >= 400 && code < 500),
        })
      }
  })
})

it('requires a provider that is configured', async () => {
  const client = await startIdentityClient({ edition: { google: undefined } })
  expect(await client.anonymousClient('POST', '/register', client.buildBody('google', 'x'))).toMatchObject({
    status: 422,
    body: { msg: 'invalid provider: google' },
  })
  await client.close()
})
