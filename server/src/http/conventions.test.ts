import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capabilitiesHeader } from '@trunkline/contract/resources/session'
import { startBackend, type Backend } from '../../test/backend'
import { takeSnapshot, createApiClient, type ApiClient } from '../../test/api-client'

let backend: Backend
let adminClient: ApiClient
beforeAll(async () => {
  backend = await startBackend()
  adminClient = createApiClient(backend.app, backend.testData.keys.admin)
})
afterAll(() => backend.close())

describe('a URL', () => {
  it.each([
    '/Accounts',
    '/Accounts/',
    '/accounts',
    '/ACCOUNTS/',
    '//Accounts',
    '//v1//Accounts///',
    '/Accounts?x=1',
    '/Accounts/?name=',
  ])('reaches the same route as %s', async (path) => {
    expect(await adminClient('GET', path)).toMatchObject({ status: 200, body: { length: 4 } })
  })

  it('keeps the case of its parameters', async () => {
    const sid = backend.testData.acme.account
    for (const path of [`/Accounts/${sid}`, `/accounts/${sid}/`, `//Accounts//${sid}?x=1`])
      expect(await adminClient('GET', path)).toMatchObject({ status: 200, body: { account_sid: sid } })
    // SQLite compares case-sensitively, so the text must arrive unchanged.
    const { body } = await adminClient('PUT', `/Accounts/${'ABCDEF01-0000-4000-8000-000000000000'}`, {})
    expect(body.msg).toBe('account not found for sid ABCDEF01-0000-4000-8000-000000000000')
  })

  it.each(['x', '123', "' or 1=1 --", '%00', 'a'.repeat(36), 'a'.repeat(300), '%E0%A4%A', '..%2f..%2fetc'])(
    'gets 400 with the SID %s',
    async (sid) => {
      for (const path of ['Accounts', 'Applications', 'VoipCarriers', 'PhoneNumbers', 'ServiceProviders'])
        for (const method of ['GET', 'PUT', 'DELETE'] as const)
          expect(await adminClient(method, `/${path}/${sid}`, method === 'PUT' ? {} : undefined)).toMatchObject({
            status: 400,
            body: { msg: 'Bad request' },
          })
      expect(await adminClient('GET', `/Accounts/${sid}/Applications`)).toMatchObject({
        status: 400,
        body: { msg: 'Bad request' },
      })
    },
  )

  it('with a malformed SID gets the error of the tenant check, and the usual one for administrators', async () => {
    const tenantAccessBody = (segment: string) => ({
      status: 'fail',
      message: `invalid ${segment} format`,
      msg: `invalid ${segment} format`,
    })
    const predefinedCarrierSid = '17479288-bb9f-421a-89d1-f4ac57af1dca'
    for (const name of ['north', 'acme'] as const) {
      const request = createApiClient(backend.app, backend.testData.keys[name])
      expect(await request('POST', `/Accounts/x/PredefinedCarriers/${predefinedCarrierSid}`)).toMatchObject({
        status: 400,
        body: tenantAccessBody('AccountsSid'),
      })
      expect(await request('POST', `/ServiceProviders/x/PredefinedCarriers/${predefinedCarrierSid}`)).toMatchObject({
        status: 400,
        body: tenantAccessBody('ServiceProvidersSid'),
      })
    }
    const invalid = { status: 400, body: { msg: 'Bad request' } }
    expect(await adminClient('POST', `/Accounts/x/PredefinedCarriers/${predefinedCarrierSid}`)).toMatchObject(invalid)
    expect(await adminClient('POST', `/Accounts/${backend.testData.acme.account}/PredefinedCarriers/x`)).toMatchObject(
      invalid,
    )
  })

  it('is checked later on routes that accept malformed SIDs', async () => {
    expect(await adminClient('GET', '/SipGateways/x')).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await adminClient('DELETE', '/SipGateways/x')).toMatchObject({
      status: 400,
      body: { msg: 'invalid sip_gateway_sid' },
    })
    expect(await adminClient('PUT', '/SipGateways/x', {})).toMatchObject({
      status: 400,
      body: { msg: 'invalid sip_gateway_sid' },
    })
    expect(await adminClient('DELETE', '/ApiKeys/x')).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await adminClient('DELETE', '/Sbcs/x')).toMatchObject({ status: 404, body: 'Not Found' })
  })
})

describe('an unknown record', () => {
  const unknownSid = 'abcdef01-0000-4000-8000-000000000000'
  it.each([
    ['GET', 'Accounts', undefined],
    ['GET', 'Applications', undefined],
    ['GET', 'ServiceProviders', undefined],
    ['GET', 'VoipCarriers', undefined],
    ['GET', 'PhoneNumbers', undefined],
    ['PUT', 'Applications', undefined],
    ['PUT', 'ServiceProviders', undefined],
    ['PUT', 'VoipCarriers', 'Not Found'],
    ['PUT', 'PhoneNumbers', 'Not Found'],
    ['DELETE', 'Accounts', 'Not Found'],
    ['DELETE', 'Applications', 'Not Found'],
    ['DELETE', 'ServiceProviders', 'Not Found'],
    ['DELETE', 'VoipCarriers', 'Not Found'],
    ['DELETE', 'PhoneNumbers', 'Not Found'],
  ] as const)('gets the specified 404 for %s %s', async (method, path, body) => {
    expect(await adminClient(method, `/${path}/${unknownSid}`, method === 'PUT' ? {} : undefined)).toMatchObject({
      status: 404,
      body,
    })
  })

  it('gets a message where the API specifies one', async () => {
    expect(await adminClient('PUT', `/Accounts/${unknownSid}`, {})).toMatchObject({
      status: 400,
      body: { msg: `account not found for sid ${unknownSid}` },
    })
    const acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    expect(await acmeClient('DELETE', `/Applications/${unknownSid}`)).toMatchObject({
      status: 400,
      body: { msg: 'application does not exist' },
    })
    expect(await adminClient('PUT', `/Users/${unknownSid}`, {})).toMatchObject({
      status: 400,
      body: { msg: 'Invalid request: user_sid does not exist' },
    })
    expect(await acmeClient('PUT', `/Users/${unknownSid}`, {})).toMatchObject({ status: 403, body: 'Forbidden' })
  })
})

describe('a body', () => {
  const json = { 'content-type': 'application/json' }
  const post = (payload: string | undefined, headers: Record<string, string> = json) =>
    adminClient('POST', '/ServiceProviders', payload, headers)

  it('that is missing or empty counts as an empty object', async () => {
    const missingNameResponse = { status: 400, body: { msg: 'missing field name', field: 'name' } }
    expect(await post(undefined, {})).toMatchObject(missingNameResponse)
    expect(await post('')).toMatchObject(missingNameResponse)
    expect(await post('', { 'content-type': 'text/plain' })).toMatchObject(missingNameResponse)
    expect(await post('null')).toMatchObject(missingNameResponse)
    expect(await adminClient('PUT', `/Accounts/${backend.testData.acme.account}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await adminClient('PUT', `/Applications/${backend.testData.acme.application}`, {})).toMatchObject({
      status: 204,
    })
  })

  it('may be a form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const creation = await post('name=From+a+form&description=a%26b', form)
    expect(creation.status).toBe(201)
    expect((await adminClient('GET', `/ServiceProviders/${creation.body.sid}`)).body).toMatchObject({
      name: 'From a form',
      description: 'a&b',
    })
    const loginResponse = await createApiClient(backend.app)(
      'POST',
      '/login',
      'username=acme&password=Correct-horse-1',
      form,
    )
    expect(loginResponse).toMatchObject({ status: 200, body: { scope: 'account' } })
  })

  it.each([
    ['{"name":', 400, /JSON/],
    ['name=x', 400, /JSON/],
    ['[]', 400, /^a JSON object is required$/],
    ['"x"', 400, /^a JSON object is required$/],
    ['7', 400, /^a JSON object is required$/],
  ])('of %s is refused', async (payload, status, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const response = await post(payload)
    expect(response).toMatchObject({ status, body: { msg: expect.stringMatching(msg) } })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('of another type is refused', async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])
      expect(await post('{"name":"x"}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { msg: 'Unsupported Media Type: send application/json' },
      })
  })

  it('of another type gets a 404 if the route does not exist', async () => {
    const request = {
      method: 'POST',
      url: '/nowhere',
      payload: 'x',
      headers: { 'content-type': 'text/plain' },
    } as const
    expect(await backend.app.inject(request)).toMatchObject({ statusCode: 404, body: 'Not Found' })
  })

  it('larger than 100 KiB is refused', async () => {
    const name = 'x'.repeat(100 * 1024)
    expect(await adminClient('POST', '/ServiceProviders', { name })).toMatchObject({
      status: 413,
      body: { msg: 'request entity too large' },
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await post(`name=${name}`, form)).toMatchObject({ status: 413 })
  })

  it('cannot pollute prototypes', async () => {
    const creation = await post('{"name":"proto","__proto__":{"description":"x"},"constructor":{"prototype":{"a":1}}}')
    expect(({} as Record<string, unknown>).a).toBeUndefined()
    expect(creation.status).toBe(201)
    expect((await adminClient('GET', `/ServiceProviders/${creation.body.sid}`)).body.description).toBeNull()
  })
})

describe('headers', () => {
  const cors = { 'access-control-allow-origin': '*' }
  const noCache = {
    'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
    expires: '0',
    'surrogate-control': 'no-store',
  }

  it.each([
    ['a list', () => adminClient('GET', '/Accounts'), 200],
    ['an empty response', () => adminClient('PUT', `/Accounts/${backend.testData.acme.account}`), 204],
    ['a refusal', () => createApiClient(backend.app)('GET', '/Accounts'), 401],
    ['an unknown record', () => adminClient('GET', '/Accounts/abcdef01-0000-4000-8000-000000000000'), 404],
    ['an unknown route', () => adminClient('GET', '/Nothing'), 404],
    ['an invalid body', () => adminClient('POST', '/Accounts', '{', { 'content-type': 'application/json' }), 400],
    ['a path in capitals', () => adminClient('GET', '//V1/ACCOUNTS'), 200],
  ])('allow every origin to read %s, and forbid caching', async (_, sendRequest, status) => {
    const response = await sendRequest()
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject({ ...cors, ...noCache, 'x-content-type-options': 'nosniff' })
    expect(response.headers).toMatchObject({ [capabilitiesHeader]: '1' })
    expect(response.headers).not.toHaveProperty('x-powered-by')
  })

  it('respond to a preflight request', async () => {
    const { status, headers } = await createApiClient(backend.app)('OPTIONS', '/Accounts', undefined, {
      origin: 'https://console.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']!.replaceAll(' ', '')).toBe('GET,HEAD,PUT,PATCH,POST,DELETE')
    expect(headers).toMatchObject({ ...cors, 'access-control-allow-headers': 'authorization,content-type' })
  })

  it('are sent without a body for HEAD', async () => {
    expect(await adminClient('HEAD', '/Accounts')).toMatchObject({ status: 200, body: undefined })
  })
})

describe('health', () => {
  it('needs no credential', async () => {
    expect(await backend.app.inject('/healthz')).toMatchObject({ statusCode: 200 })
    expect(await backend.app.inject('/health')).toMatchObject({ statusCode: 200, body: 'OK' })
  })

  it('fails without a database', async () => {
    const failingBackend = await startBackend()
    await failingBackend.database.close()
    const response = await failingBackend.app.inject('/healthz')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ status: 'unavailable' })
    await failingBackend.app.close()
  })
})

describe('routes for older clients', () => {
  it('have no messaging provider, for any actor', async () => {
    for (const path of ['/messaging/twilio', '/outboundSMS'])
      for (const request of [adminClient, createApiClient(backend.app)])
        expect(await request('POST', path, { from: '1', to: '2', text: 'hello' })).toMatchObject({
          status: 404,
          body: 'Not Found',
        })
  })

  it('return no charges', async () => {
    const { status, body } = await adminClient('GET', `/Accounts/${backend.testData.acme.account}/Charges`)
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })
})
