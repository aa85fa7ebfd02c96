import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { apiClient, tokenFor } from '../../test/speak'

let backend: Backend
let token: string
beforeAll(async () => {
  backend = await startBackend()
  token = await tokenFor(backend.app, 'acme')
})
afterAll(() => backend.close())

const refused = { status: 401, body: 'Unauthorized' }
const secret = (text: string) => new TextEncoder().encode(text)
const signed = (claims: object, identifier = 'test jwt secret', alg = 'HS256') =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(secret(identifier))

describe('a token', () => {
  const invalid: [string, () => Promise<string> | string][] = [
    ['that has run out', () => signed({ ...decodeJwt(token), exp: Math.floor(Date.now() / 1000) - 1 })],
    ['signed by someone else', () => signed(decodeJwt(token), 'another secret')],
    ['signed with another algorithm', () => signed(decodeJwt(token), 'test jwt secret'.repeat(8), 'HS512')],
    ['without a signature', () => new UnsecuredJWT({ ...decodeJwt(token) }).encode()],
    [
      'whose claims were changed',
      () => {
        const [head, , tail] = token.split('.')
        const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), scope: 'admin', account_sid: undefined }))
        return `${head}.${claims.toString('base64url')}.${tail}`
      },
    ],
    ['of another user than the session', () => signed({ ...decodeJwt(token), user_sid: backend.world.users.admin })],
    ['of no session', () => signed({ ...decodeJwt(token), jti: undefined })],
    ['of an unknown session', () => signed({ ...decodeJwt(token), jti: backend.world.users.acme })],
    [
      'that names another tenant than the user has',
      () => signed({ ...decodeJwt(token), account_sid: backend.world.bolt.account }),
    ],
    ['that is no token', () => 'nonsense'],
    ['that is an API key in capitals', () => backend.world.keys.acme.toUpperCase()],
    ['with quotes', () => `' or '1'='1`],
  ]
  it.each(invalid)('%s is refused', async (_, make) => {
    const { status, body, headers } = await apiClient(backend.app, await make())('GET', '/Accounts')
    expect({ status, body }).toEqual(refused)
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Users"/)
  })

  it('is ignored on public routes', async () => {
    expect(await apiClient(backend.app, 'nonsense')('GET', '/PredefinedCarriers')).toMatchObject({ status: 200 })
  })

  it('is read from the header, whatever the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      expect(await apiClient(backend.app)('GET', '/Accounts', undefined, headers)).toMatchObject({ status: 200 })
    }
    const basic = await apiClient(backend.app)('GET', '/Accounts', undefined, { authorization: `Basic ${token}` })
    expect(basic).toMatchObject({ ...refused, headers: { 'www-authenticate': 'Bearer realm="Users"' } })
  })

  it('is read from the query and from a body, where it does not count as an unknown field', async () => {
    const anonymous = apiClient(backend.app)
    expect(await anonymous('GET', `/Accounts?access_token=${token}`)).toMatchObject({ status: 200 })
    const path = `/Accounts/${backend.world.acme.account}`
    expect(await anonymous('PUT', path, { access_token: token, record_format: 'wav' })).toMatchObject({ status: 204 })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await anonymous('PUT', path, `access_token=${token}&record_format=mp3`, form)).toMatchObject({ status: 204 })
  })

  it('in two places is refused', async () => {
    const twice = { status: 400, body: 'Bad Request' }
    const acme = apiClient(backend.app, token)
    expect(await acme('GET', `/Accounts?access_token=${token}`)).toMatchObject(twice)
    expect(await acme('PUT', `/Accounts/${backend.world.acme.account}`, { access_token: token })).toMatchObject(twice)
    const body = { access_token: token }
    expect(await apiClient(backend.app)('POST', `/Applications?access_token=${token}`, body)).toMatchObject(twice)
  })
})

describe('a request', () => {
  it.each([
    '//v1/PasswordSettings',
    '/%761/PasswordSettings',
    '/V1/passwordsettings',
    '/v1///PasswordSettings/',
    '/v1/%50asswordSettings',
  ])('is protected in every spelling of its path: %s', async (url) => {
    expect(await backend.app.inject({ url })).toMatchObject({ statusCode: 401, body: 'Unauthorized' })
    const headers = { authorization: `Bearer ${token}` }
    expect(await backend.app.inject({ url, headers })).toMatchObject({ statusCode: 200 })
  })

  it('to an unknown route gets 401 without a credential and 404 with one', async () => {
    expect(await apiClient(backend.app)('GET', '/Nothing')).toMatchObject(refused)
    expect(await apiClient(backend.app, token)('GET', '/Nothing')).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await apiClient(backend.app, token)('DELETE', '/Accounts')).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('to a route of the hosted edition gets 404, also without a credential', async () => {
    for (const path of [
      '/register',
      '/signin',
      '/InviteCodes',
      '/BetaInviteCodes',
      '/ActivationCode',
      '/activationcode/1',
    ])
      for (const request of [apiClient(backend.app), apiClient(backend.app, token), apiClient(backend.app, 'nonsense')])
        expect(await request('POST', path, { code: '1' })).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await apiClient(backend.app)('POST', '/registered', {})).toMatchObject(refused)
    expect(await apiClient(backend.app)('GET', '/Prices')).toMatchObject(refused)
  })
})
