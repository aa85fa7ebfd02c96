import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpectedResponse, AccessCase } from './access-responses'
import { accessCases } from './access-table'
import { startBackend, type Backend } from './backend'
import { databaseEngines } from './databases'
import { listCases } from './lists-table'
import {
  listRoutes,
  createClients,
  takeSnapshot,
  createApiClient,
  type Method,
  type ApiResponse,
  type ApiClient,
} from './api-client'
import { actors, type ActorName, type TestData } from './test-data'

const paramValues: Record<string, (testData: TestData) => string> = {
  service_provider_sid: ({ providers }) => providers.north,
  account_sid: ({ acme }) => acme.account,
  record_sid: ({ acme }) => acme.account,
  kind: () => 'account',
  user_sid: ({ users }) => users.acme,
  api_key_sid: ({ acme }) => acme.api_key,
  application_sid: ({ acme }) => acme.application,
  voip_carrier_sid: ({ acme }) => acme.voip_carrier,
  sip_gateway_sid: ({ acme }) => acme.sip_gateway,
  phone_number_sid: ({ acme }) => acme.phone_number,
  client_sid: ({ acme }) => acme.client,
  smpp_gateway_sid: ({ acme }) => acme.smpp_gateway,
  smpp_address_sid: () => 'none',
  saved_view_sid: () => '17479288-bb9f-421a-89d1-f4ac57af1dcc',
  lcr_sid: ({ acme }) => acme.lcr,
  lcr_route_sid: ({ acme }) => acme.lcr_route,
  lcr_carrier_set_entry_sid: () => 'none',
  ms_teams_tenant_sid: ({ acme }) => acme.ms_teams_tenant,
  predefined_carrier_sid: () => '17479288-bb9f-421a-89d1-f4ac57af1dca',
  sbc_address_sid: () => 'none',
  webhook_sid: () => '17479288-bb9f-421a-89d1-f4ac57af1dcb',
  speech_credential_sid: ({ acme }) => acme.speech_credential,
  sip_callid: () => 'a@b',
  trace_id: () => '1'.repeat(32),
  method: () => 'register',
  call_sid: () => 'c-1',
  yyyy: () => '2026',
  mm: () => '11',
  dd: () => '22',
  format: () => 'wav',
  user: () => 'jo',
  google_custom_voice_sid: ({ acme }) => acme.google_custom_voice,
}

const fillPath = (path: string, testData: TestData, params: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? paramValues[param]!(testData))

const isNoContent = ({ status, body }: ApiResponse) => status === 204 && body === undefined
const isCreated = ({ status }: ApiResponse) => status === 201
const defaultChecks: Record<string, (response: ApiResponse) => boolean> = {
  GET: ({ status, body }) => status === 200 && typeof body === 'object',
  POST: ({ status, body }) => status === 201 && typeof (body.sid ?? body.user_sid) === 'string',
  PUT: isNoContent,
  DELETE: isNoContent,
}
/** Routes with a special success. Singletons have no SID. */
const specialChecks: Record<string, (response: ApiResponse) => boolean> = {
  'POST /PasswordSettings': isCreated,
  'POST /SystemInformation': isCreated,
  'POST /Accounts/:account_sid/BucketCredentialTest': ({ status, body }) => status === 200 && body.status === 'failed',
  // The server must not send requests to the URLs of the tests.
  'POST /Applications/:application_sid/WebhookTest': ({ status, body }) => status === 200 && 'error' in body,
  // The vendor refuses the invalid key of the test credentials.
  'POST /Accounts/:account_sid/TtsCache/Synthesize': ({ status }) => status === 422,
  'POST /TtsCache/Synthesize': ({ status }) => status === 422,
  'POST /Accounts/:account_sid/RegisteredSipUsers': ({ status, body }) => status === 200 && Array.isArray(body),
  'POST /PhoneNumbers/Import': ({ status, body }) => status === 200 && body.written === 0,
  'PUT /PhoneNumbers': ({ status, body }) => status === 200 && body.changed === 1,
  'POST /Lcrs/:lcr_sid/Routes': isNoContent,
}

/** The success status of a route, and whether it has a body. */
const isSuccess = (method: Method, path: string, response: ApiResponse) =>
  (specialChecks[`${method} ${path}`] ?? defaultChecks[method])?.(response) ?? false

/** Routes for carriers and voice servers, which send no credential and get no details. */
const carrierRoutes = ['POST /messaging/:provider', 'POST /outboundSMS']

/** Public routes. */
const publicRoutes = [
  'POST /login',
  'GET /PredefinedCarriers',
  'GET /AccountTest/:service_provider_sid',
  ...carrierRoutes,
]

/** Reads with effects: vendors charge for the test of a credential. View-only users may not send them. */
const readsWithEffects = [
  'GET /Accounts/:account_sid/SpeechCredentials/:speech_credential_sid/test',
  'GET /ServiceProviders/:service_provider_sid/SpeechCredentials/:speech_credential_sid/test',
]

/** Routes about the actor itself. The tests of the session cover them. */
const sessionRoutes = [
  'POST /login',
  'POST /logout',
  'POST /change-password',
  'GET /PredefinedCarriers',
  ...carrierRoutes,
]

describe.each(databaseEngines)('access (%s)', (databaseEngine) => {
  let backend: Backend
  let clients: Awaited<ReturnType<typeof createClients>>
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    clients = await createClients(backend)
  })
  afterAll(() => backend.close())

  const expectedResponse = (
    { responses, keyResponses }: AccessCase,
    actorName: ActorName,
    usesKey: boolean,
  ): ExpectedResponse => (usesKey && keyResponses?.[actorName]) || responses[actorName]

  const sendRequest = async (accessCase: AccessCase, request: ApiClient): Promise<ApiResponse> => {
    const [method, path] = accessCase.route.split(' ') as [Method, string]
    const { testData } = backend
    const params = accessCase.params?.(testData) ?? {}
    return request(
      method,
      fillPath(path, testData, params) + (accessCase.query?.(testData) ?? ''),
      accessCase.body?.(testData),
    )
  }

  /** The case with the SID of a new disposable target, if it needs one. */
  const withTarget = async (accessCase: AccessCase): Promise<AccessCase> => {
    if (!accessCase.disposableTarget) return accessCase
    const { body } = await clients.users.admin(
      'POST',
      fillPath(accessCase.disposableTarget.path, backend.testData),
      accessCase.disposableTarget.body(backend.testData),
    )
    const lastParam = /:(\w+)$/.exec(accessCase.route)![1]!
    return { ...accessCase, params: () => ({ [lastParam]: body.sid ?? body[lastParam] }) }
  }

  const listAttempts = (accessCase: AccessCase, isIncluded: (expected: ExpectedResponse) => boolean) =>
    [false, true].flatMap((usesKey) =>
      actors
        .map((actorName) => ({
          actorName,
          byKey: usesKey,
          response: expectedResponse(accessCase, actorName, usesKey),
          request: (usesKey ? clients.keys : clients.users)[actorName],
        }))
        .filter(({ response }) => isIncluded(response)),
    )

  it('is defined for every route', async () => {
    const listedRoutes = new Set([
      ...accessCases.map(({ route }) => route),
      ...listCases.map(({ path }) => `GET ${path}`),
      ...sessionRoutes,
    ])
    const routes = await listRoutes(backend.app)
    expect(routes.filter((route) => !listedRoutes.has(route))).toEqual([])
    expect([...listedRoutes].filter((route) => !routes.includes(route))).toEqual([])
  })

  describe.each(accessCases.map((row, index) => ({ index, row, title: row.route })))('$title ($index)', ({ row }) => {
    it('refuses with the exact response, and changes nothing', async () => {
      const target = await withTarget(row)
      const initialSnapshot = await takeSnapshot(backend.database)
      for (const { actorName, byKey, response, request } of listAttempts(row, (expected) => expected !== 'ok')) {
        const { status, body } = await sendRequest(target, request)
        expect({ actorName, byKey, status, body }).toEqual({
          actorName,
          byKey,
          body: undefined,
          ...(response as object),
        })
      }
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('permits the expected actors', async () => {
      const [method, path] = row.route.split(' ') as [Method, string]
      for (const { actorName, byKey, request } of listAttempts(row, (expected) => expected === 'ok')) {
        const response = await sendRequest(await withTarget(row), request)
        expect({ actorName, byKey, response, isSuccessful: isSuccess(method, path, response) }).toMatchObject({
          isSuccessful: true,
        })
      }
    })

    it('permits view-only users to read and not to write', async () => {
      const target = await withTarget(row)
      const initialSnapshot = await takeSnapshot(backend.database)
      const { status, body } = await sendRequest(target, clients.viewer)
      if (!row.route.startsWith('GET') || readsWithEffects.includes(row.route))
        expect({ status, body }).toEqual({ status: 403, body: { msg: 'User has view-only access' } })
      else if (row.query?.(backend.testData).includes('regenerate')) expect(status).toBe(403)
      else
        expect({ status, body }).toMatchObject(
          row.responses.acme === 'ok' ? { status: 200 } : { ...row.responses.acme },
        )
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })
  })

  describe.each(listCases)('GET $path', ({ path, query, keyColumn, visibleOwners, pageShowsMore }) => {
    it.each(actors)('lists exactly the expected rows for %s', async (actorName) => {
      const { testData } = backend
      const expected = visibleOwners[actorName]
      for (const request of [clients.users[actorName], clients.keys[actorName]]) {
        const response = await request('GET', fillPath(path, testData) + (query?.(testData) ?? ''))
        if (typeof expected !== 'string') {
          expect({ status: response.status, body: response.body }).toEqual(expected)
          continue
        }
        const ownerBySid = mapOwners(testData)
        const names = (response.body as Record<string, string>[]).map(
          (row) => ownerBySid.get(row[keyColumn]!) ?? 'other',
        )
        const visibleOwnerNames = [...new Set(names)].filter((name) => name !== 'other').sort()
        expect(visibleOwnerNames.join(' ')).toBe(expected.split(' ').filter(Boolean).sort().join(' '))
        // Rows of the tests above and the initial rows belong to the platform or to the same tenants.
        const pageResponse = await request(
          'GET',
          `${fillPath(path, testData)}${query?.(testData) ?? '?'}&page=1&page_size=1000`,
        )
        if (!Array.isArray(pageResponse.body) && !pageShowsMore)
          expect(pageResponse.body).toMatchObject({
            total: response.body.length,
            data: { length: response.body.length },
          })
      }
    })
  })

  it('refuses requests without a credential', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const route of await listRoutes(backend.app)) {
      const [method, path] = route.split(' ') as [Method, string]
      if (publicRoutes.includes(route)) continue
      const { status, body, headers } = await clients.anonymous(method, fillPath(path, backend.testData))
      expect({ route, status, body }).toEqual({ route, status: 401, body: 'Unauthorized' })
      expect(headers['www-authenticate']).toBe('Bearer realm="Users"')
      const unknownTokenResponse = await createApiClient(backend.app, 'd1a2b3c4-0000-4000-8000-000000000000')(
        method,
        fillPath(path, backend.testData),
      )
      expect({ route, status: unknownTokenResponse.status, body: unknownTokenResponse.body }).toEqual({
        route,
        status: 401,
        body: 'Unauthorized',
      })
      expect(unknownTokenResponse.headers['www-authenticate']).toBe('Bearer realm="Users", error="invalid_token"')
    }
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })
})

/** The owner of the record with a SID. */
const mapOwners = (testData: TestData) =>
  new Map<string, string>([
    ...(['acme', 'bolt', 'corp'] as const).flatMap((name) =>
      Object.values(testData[name]).map((sid) => [sid, name] as [string, string]),
    ),
    ...(['north', 'south'] as const).flatMap(
      (name) =>
        [
          [testData.providers[name], name],
          ...Object.values(testData.shared[name]).map((sid): [string, string] => [sid, name]),
          [testData.keySids[name], name],
        ] as [string, string][],
    ),
    [testData.keySids.admin, 'admin'],
    ...Object.entries(testData.users).map(([name, sid]) => [sid, name] as [string, string]),
  ])
