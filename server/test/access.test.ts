import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpectedResponse, Row } from './access-answers'
import { access } from './access-table'
import { startBackend, type Backend } from './backend'
import { engines } from './engines'
import { lists } from './lists-table'
import { routesOf, createClients, snapshot, apiClient, type Method, type ApiResponse, type ApiClient } from './speak'
import { actors, type ActorName, type World } from './world'

const owner: Record<string, (world: World) => string> = {
  service_provider_sid: ({ providers }) => providers.north,
  account_sid: ({ acme }) => acme.account,
  user_sid: ({ users }) => users.acme,
  api_key_sid: ({ acme }) => acme.api_key,
  application_sid: ({ acme }) => acme.application,
  voip_carrier_sid: ({ acme }) => acme.voip_carrier,
  sip_gateway_sid: ({ acme }) => acme.sip_gateway,
  phone_number_sid: ({ acme }) => acme.phone_number,
  client_sid: ({ acme }) => acme.client,
  smpp_gateway_sid: ({ acme }) => acme.smpp_gateway,
  smpp_address_sid: () => 'none',
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

const address = (path: string, world: World, params: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, part: string) => params[part] ?? owner[part]!(world))

const noContent = ({ status, body }: ApiResponse) => status === 204 && body === undefined
const settings = ({ status }: ApiResponse) => status === 201
const usual: Record<string, (reply: ApiResponse) => boolean> = {
  GET: ({ status, body }) => status === 200 && typeof body === 'object',
  POST: ({ status, body }) => status === 201 && typeof (body.sid ?? body.user_sid) === 'string',
  PUT: noContent,
  DELETE: noContent,
}
/** Routes with a special success. Singletons have no SID. */
const unusual: Record<string, (reply: ApiResponse) => boolean> = {
  'POST /PasswordSettings': settings,
  'POST /SystemInformation': settings,
  'POST /Accounts/:account_sid/BucketCredentialTest': ({ status, body }) => status === 200 && body.status === 'failed',
  // The server must not send requests to the URLs of the tests.
  'POST /Applications/:application_sid/WebhookTest': ({ status, body }) => status === 200 && 'error' in body,
  // The vendor refuses the invalid key of the test credentials.
  'POST /Accounts/:account_sid/TtsCache/Synthesize': ({ status }) => status === 422,
  'POST /TtsCache/Synthesize': ({ status }) => status === 422,
  'POST /Accounts/:account_sid/RegisteredSipUsers': ({ status, body }) => status === 200 && Array.isArray(body),
  'POST /PhoneNumbers/Import': ({ status, body }) => status === 200 && body.written === 0,
  'PUT /PhoneNumbers': ({ status, body }) => status === 200 && body.changed === 1,
  'POST /Lcrs/:lcr_sid/Routes': noContent,
}

/** The success status of a route, and whether it has a body. */
const succeeds = (method: Method, path: string, reply: ApiResponse) =>
  (unusual[`${method} ${path}`] ?? usual[method])?.(reply) ?? false

/** Routes for carriers and voice servers, which send no credential and get no details. */
const foreign = ['POST /messaging/:provider', 'POST /outboundSMS']

/** Public routes. */
const open = ['POST /login', 'GET /PredefinedCarriers', 'GET /AccountTest/:service_provider_sid', ...foreign]

/** Reads with effects: vendors charge for the test of a credential. View-only users may not send them. */
const effective = [
  'GET /Accounts/:account_sid/SpeechCredentials/:speech_credential_sid/test',
  'GET /ServiceProviders/:service_provider_sid/SpeechCredentials/:speech_credential_sid/test',
]

/** Routes about the actor itself. The tests of the session cover them. */
const selfish = ['POST /login', 'POST /logout', 'POST /change-password', 'GET /PredefinedCarriers', ...foreign]

describe.each(engines)('access (%s)', (engine) => {
  let backend: Backend
  let clients: Awaited<ReturnType<typeof createClients>>
  beforeAll(async () => {
    backend = await startBackend({ engine })
    clients = await createClients(backend)
  })
  afterAll(() => backend.close())

  const expectedResponse = ({ responses, keys }: Row, actorName: ActorName, byKey: boolean): ExpectedResponse =>
    (byKey && keys?.[actorName]) || responses[actorName]

  const sendRequest = async (row: Row, request: ApiClient): Promise<ApiResponse> => {
    const [method, path] = row.call.split(' ') as [Method, string]
    const { world } = backend
    const params = row.params?.(world) ?? {}
    return request(method, address(path, world, params) + (row.query?.(world) ?? ''), row.body?.(world))
  }

  /** The row with a disposable target, if it has one. */
  const aimed = async (row: Row): Promise<Row> => {
    if (!row.disposableTarget) return row
    const { body } = await clients.users.admin(
      'POST',
      address(row.disposableTarget.path, backend.world),
      row.disposableTarget.body(backend.world),
    )
    const last = /:(\w+)$/.exec(row.call)![1]!
    return { ...row, params: () => ({ [last]: body.sid ?? body[last] }) }
  }

  const attempts = (row: Row, which: (answer: ExpectedResponse) => boolean) =>
    [false, true].flatMap((byKey) =>
      actors
        .map((actorName) => ({
          actorName,
          byKey,
          response: expectedResponse(row, actorName, byKey),
          request: (byKey ? clients.keys : clients.users)[actorName],
        }))
        .filter(({ response }) => which(response)),
    )

  it('is defined for every route', () => {
    const listedRoutes = new Set([
      ...access.map(({ call }) => call),
      ...lists.map(({ path }) => `GET ${path}`),
      ...selfish,
    ])
    expect(routesOf(backend.app).filter((call) => !listedRoutes.has(call))).toEqual([])
    expect([...listedRoutes].filter((call) => !routesOf(backend.app).includes(call))).toEqual([])
  })

  describe.each(access.map((row, index) => ({ index, row, title: row.call })))('$title ($index)', ({ row }) => {
    it('refuses with the exact response, and changes nothing', async () => {
      const target = await aimed(row)
      const initialSnapshot = await snapshot(backend.database)
      for (const { actorName, byKey, response, request } of attempts(row, (item) => item !== 'ok')) {
        const { status, body } = await sendRequest(target, request)
        expect({ actorName, byKey, status, body }).toEqual({
          actorName,
          byKey,
          body: undefined,
          ...(response as object),
        })
      }
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('permits the expected actors', async () => {
      const [method, path] = row.call.split(' ') as [Method, string]
      for (const { actorName, byKey, request } of attempts(row, (item) => item === 'ok')) {
        const reply = await sendRequest(await aimed(row), request)
        expect({ actorName, byKey, reply, fine: succeeds(method, path, reply) }).toMatchObject({ fine: true })
      }
    })

    it('permits view-only users to read and not to write', async () => {
      const target = await aimed(row)
      const initialSnapshot = await snapshot(backend.database)
      const { status, body } = await sendRequest(target, clients.viewer)
      if (!row.call.startsWith('GET') || effective.includes(row.call))
        expect({ status, body }).toEqual({ status: 403, body: { msg: 'User has view-only access' } })
      else if (row.query?.(backend.world).includes('regenerate')) expect(status).toBe(403)
      else
        expect({ status, body }).toMatchObject(
          row.responses.acme === 'ok' ? { status: 200 } : { ...row.responses.acme },
        )
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })
  })

  describe.each(lists)('GET $path', ({ path, query, key, sees, pageShowsMore }) => {
    it.each(actors)('lists exactly the expected rows for %s', async (actorName) => {
      const { world } = backend
      const expected = sees[actorName]
      for (const request of [clients.users[actorName], clients.keys[actorName]]) {
        const reply = await request('GET', address(path, world) + (query?.(world) ?? ''))
        if (typeof expected !== 'string') {
          expect({ status: reply.status, body: reply.body }).toEqual(expected)
          continue
        }
        const known = marks(world)
        const names = (reply.body as Record<string, string>[]).map((row) => known.get(row[key]!) ?? 'other')
        const shown = [...new Set(names)].filter((name) => name !== 'other').sort()
        expect(shown.join(' ')).toBe(expected.split(' ').filter(Boolean).sort().join(' '))
        // Rows of the tests above and the initial rows belong to the platform or to the same tenants.
        const paged = await request('GET', `${address(path, world)}${query?.(world) ?? '?'}&page=1&page_size=1000`)
        if (!Array.isArray(paged.body) && !pageShowsMore)
          expect(paged.body).toMatchObject({ total: reply.body.length, data: { length: reply.body.length } })
      }
    })
  })

  it('refuses requests without a credential', async () => {
    const initialSnapshot = await snapshot(backend.database)
    for (const call of routesOf(backend.app)) {
      const [method, path] = call.split(' ') as [Method, string]
      if (open.includes(call)) continue
      const { status, body, headers } = await clients.anonymous(method, address(path, backend.world))
      expect({ call, status, body }).toEqual({ call, status: 401, body: 'Unauthorized' })
      expect(headers['www-authenticate']).toBe('Bearer realm="Users"')
      const unknownClient = await apiClient(backend.app, 'd1a2b3c4-0000-4000-8000-000000000000')(
        method,
        address(path, backend.world),
      )
      expect({ call, status: unknownClient.status, body: unknownClient.body }).toEqual({
        call,
        status: 401,
        body: 'Unauthorized',
      })
      expect(unknownClient.headers['www-authenticate']).toBe('Bearer realm="Users", error="invalid_token"')
    }
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })
})

/** The owner of the record with a SID. */
const marks = (world: World) =>
  new Map<string, string>([
    ...(['acme', 'bolt', 'corp'] as const).flatMap((name) =>
      Object.values(world[name]).map((sid) => [sid, name] as [string, string]),
    ),
    ...(['north', 'south'] as const).flatMap(
      (name) =>
        [
          [world.providers[name], name],
          ...Object.values(world.shared[name]).map((sid): [string, string] => [sid, name]),
          [world.keySids[name], name],
        ] as [string, string][],
    ),
    [world.keySids.admin, 'admin'],
    ...Object.entries(world.users).map(([name, sid]) => [sid, name] as [string, string]),
  ])
