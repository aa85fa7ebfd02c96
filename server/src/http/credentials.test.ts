import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '@trunkline/contract/kit/route'
import * as registrationRoutes from '@trunkline/contract/resources/registration'
import { signIn } from '@trunkline/contract/resources/session'
import * as subscriptionRoutes from '@trunkline/contract/resources/subscription'
import { startBackend, type Backend } from '../../test/backend'
import { createApiClient, fetchToken } from '../../test/api-client'

let backend: Backend
let token: string
beforeAll(async () => {
  backend = await startBackend()
  token = await fetchToken(backend.app, 'acme')
})
afterAll(() => backend.close())

const unauthorizedResponse = { status: 401, body: 'Unauthorized' }
const encodeSecret = (text: string) => new TextEncoder().encode(text)
const signToken = (claims: object, secret = 'test jwt secret', alg = 'HS256') =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(encodeSecret(secret))

describe('a token', () => {
  const invalid: [string, () => Promise<string> | string][] = [
    ['that has expired', () => signToken({ ...decodeJwt(token), exp: Math.floor(Date.now() / 1000) - 1 })],
    ['signed with another secret', () => signToken(decodeJwt(token), 'another secret')],
    ['signed with another algorithm', () => signToken(decodeJwt(token), 'test jwt secret'.repeat(8), 'HS512')],
    ['without a signature', () => new UnsecuredJWT({ ...decodeJwt(token) }).encode()],
    [
      'with changed claims',
      () => {
        const [head, , tail] = token.split('.')
        const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), scope: 'admin', account_sid: undefined }))
        return `${head}.${claims.toString('base64url')}.${tail}`
      },
    ],
    [
      'of another user than the session',
      () => signToken({ ...decodeJwt(token), user_sid: backend.testData.users.admin }),
    ],
    ['of no session', () => signToken({ ...decodeJwt(token), jti: undefined })],
    ['of an unknown session', () => signToken({ ...decodeJwt(token), jti: backend.testData.users.acme })],
    [
      'that names another tenant than the current one of its user',
      () => signToken({ ...decodeJwt(token), account_sid: backend.testData.bolt.account }),
    ],
    ['with random text', () => 'nonsense'],
    ['that is an API key in capitals', () => backend.testData.keys.acme.toUpperCase()],
    ['with quotes', () => `' or '1'='1`],
  ]
  it.each(invalid)('%s is refused', async (_, createToken) => {
    const { status, body, headers } = await createApiClient(backend.app, await createToken())('GET', '/Accounts')
    expect({ status, body }).toEqual(unauthorizedResponse)
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Users"/)
  })

  it('is ignored on public routes', async () => {
    expect(await createApiClient(backend.app, 'nonsense')('GET', '/PredefinedCarriers')).toMatchObject({ status: 200 })
  })

  it('is read from the header, with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      expect(await createApiClient(backend.app)('GET', '/Accounts', undefined, headers)).toMatchObject({ status: 200 })
    }
    const basicAuthResponse = await createApiClient(backend.app)('GET', '/Accounts', undefined, {
      authorization: `Basic ${token}`,
    })
    expect(basicAuthResponse).toMatchObject({
      ...unauthorizedResponse,
      headers: { 'www-authenticate': 'Bearer realm="Users"' },
    })
  })

  it('is read from the query and from a body, where it does not count as an unknown field', async () => {
    const anonymousClient = createApiClient(backend.app)
    expect(await anonymousClient('GET', `/Accounts?access_token=${token}`)).toMatchObject({ status: 200 })
    const path = `/Accounts/${backend.testData.acme.account}`
    expect(await anonymousClient('PUT', path, { access_token: token, record_format: 'wav' })).toMatchObject({
      status: 204,
    })
    const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await anonymousClient('PUT', path, `access_token=${token}&record_format=mp3`, formHeaders)).toMatchObject({
      status: 204,
    })
  })

  it('is refused in two places', async () => {
    const badRequestResponse = { status: 400, body: 'Bad Request' }
    const acmeClient = createApiClient(backend.app, token)
    expect(await acmeClient('GET', `/Accounts?access_token=${token}`)).toMatchObject(badRequestResponse)
    expect(
      await acmeClient('PUT', `/Accounts/${backend.testData.acme.account}`, { access_token: token }),
    ).toMatchObject(badRequestResponse)
    const body = { access_token: token }
    expect(await createApiClient(backend.app)('POST', `/Applications?access_token=${token}`, body)).toMatchObject(
      badRequestResponse,
    )
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
    expect(await createApiClient(backend.app)('GET', '/Nothing')).toMatchObject(unauthorizedResponse)
    expect(await createApiClient(backend.app, token)('GET', '/Nothing')).toMatchObject({
      status: 404,
      body: 'Not Found',
    })
    expect(await createApiClient(backend.app, token)('DELETE', '/Accounts')).toMatchObject({
      status: 404,
      body: 'Not Found',
    })
  })

  it('to a route of a disabled feature gets 404, also without a credential', async () => {
    const sid = randomUUID()
    const routes: Route[] = [...Object.values(registrationRoutes), ...Object.values(subscriptionRoutes), signIn]
    const requests = [
      ...routes.map(({ method, path }) => [method, path.replace(/:\w+/g, sid)] as const),
      ['POST', '/activationcode/1'],
      ['POST', '//v1//InviteCodes/?code=1'],
      ['GET', '/Prices/'],
    ] as const
    for (const [method, path] of requests)
      for (const request of [
        createApiClient(backend.app),
        createApiClient(backend.app, token),
        createApiClient(backend.app, 'nonsense'),
      ])
        expect(await request(method, path, method === 'GET' ? undefined : { code: '1' }), path).toMatchObject({
          status: 404,
          body: 'Not Found',
        })
    for (const path of ['/registered', '/Accounts/1/SipRealms', '/Users/Prices', '/Priceless'])
      expect(await createApiClient(backend.app)('POST', path, {})).toMatchObject(unauthorizedResponse)
    const webhookResponse = await backend.app.inject({ method: 'POST', url: '/stripe/webhook', payload: {} })
    expect(webhookResponse.statusCode).toBe(404)
  })
})
