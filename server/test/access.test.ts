import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Row } from './access-answers'
import { access } from './access-table'
import { startBackend, type Backend } from './backend'
import { engines } from './engines'
import { lists } from './lists-table'
import { callsOf, everybody, snapshot, speaker, type Method, type Reply, type Speak } from './speak'
import { actors, type ActorName, type World } from './world'

const own: Record<string, (world: World) => string> = {
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

const address = (path: string, world: World, given: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, part: string) => given[part] ?? own[part]!(world))

const nothing = ({ status, body }: Reply) => status === 204 && body === undefined
const settings = ({ status }: Reply) => status === 201
const usual: Record<string, (reply: Reply) => boolean> = {
  GET: ({ status, body }) => status === 200 && typeof body === 'object',
  POST: ({ status, body }) => status === 201 && typeof (body.sid ?? body.user_sid) === 'string',
  PUT: nothing,
  DELETE: nothing,
}
/** Routes with a special success. Singletons have no SID. */
const unusual: Record<string, (reply: Reply) => boolean> = {
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
  'POST /Lcrs/:lcr_sid/Routes': nothing,
}

/** The success status of a route, and whether it has a body. */
const succeeds = (method: Method, path: string, reply: Reply) =>
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
  let people: Awaited<ReturnType<typeof everybody>>
  beforeAll(async () => {
    backend = await startBackend({ engine })
    people = await everybody(backend)
  })
  afterAll(() => backend.close())

  const wanted = ({ answers, keys }: Row, who: ActorName, byKey: boolean): Answer =>
    (byKey && keys?.[who]) || answers[who]

  const ask = async (row: Row, speak: Speak): Promise<Reply> => {
    const [method, path] = row.call.split(' ') as [Method, string]
    const { world } = backend
    const given = row.params?.(world) ?? {}
    return speak(method, address(path, world, given) + (row.query?.(world) ?? ''), row.body?.(world))
  }

  /** The row with a disposable target, if it has one. */
  const aimed = async (row: Row): Promise<Row> => {
    if (!row.victim) return row
    const { body } = await people.users.admin(
      'POST',
      address(row.victim.path, backend.world),
      row.victim.body(backend.world),
    )
    const last = /:(\w+)$/.exec(row.call)![1]!
    return { ...row, params: () => ({ [last]: body.sid ?? body[last] }) }
  }

  const attempts = (row: Row, which: (answer: Answer) => boolean) =>
    [false, true].flatMap((byKey) =>
      actors
        .map((who) => ({
          who,
          byKey,
          answer: wanted(row, who, byKey),
          speak: (byKey ? people.keys : people.users)[who],
        }))
        .filter(({ answer }) => which(answer)),
    )

  it('is defined for every route', () => {
    const said = new Set([...access.map(({ call }) => call), ...lists.map(({ path }) => `GET ${path}`), ...selfish])
    expect(callsOf(backend.app).filter((call) => !said.has(call))).toEqual([])
    expect([...said].filter((call) => !callsOf(backend.app).includes(call))).toEqual([])
  })

  describe.each(access.map((row, place) => ({ place, row, title: row.call })))('$title ($place)', ({ row }) => {
    it('refuses with the exact response, and changes nothing', async () => {
      const target = await aimed(row)
      const before = await snapshot(backend.database)
      for (const { who, byKey, answer, speak } of attempts(row, (each) => each !== 'ok')) {
        const { status, body } = await ask(target, speak)
        expect({ who, byKey, status, body }).toEqual({ who, byKey, body: undefined, ...(answer as object) })
      }
      expect(await snapshot(backend.database)).toEqual(before)
    })

    it('permits the expected actors', async () => {
      const [method, path] = row.call.split(' ') as [Method, string]
      for (const { who, byKey, speak } of attempts(row, (each) => each === 'ok')) {
        const reply = await ask(await aimed(row), speak)
        expect({ who, byKey, reply, fine: succeeds(method, path, reply) }).toMatchObject({ fine: true })
      }
    })

    it('permits view-only users to read and not to write', async () => {
      const target = await aimed(row)
      const before = await snapshot(backend.database)
      const { status, body } = await ask(target, people.viewer)
      if (!row.call.startsWith('GET') || effective.includes(row.call))
        expect({ status, body }).toEqual({ status: 403, body: { msg: 'User has view-only access' } })
      else if (row.query?.(backend.world).includes('regenerate')) expect(status).toBe(403)
      else expect({ status, body }).toMatchObject(row.answers.acme === 'ok' ? { status: 200 } : { ...row.answers.acme })
      expect(await snapshot(backend.database)).toEqual(before)
    })
  })

  describe.each(lists)('GET $path', ({ path, query, key, sees, pageShowsMore }) => {
    it.each(actors)('lists exactly the expected rows for %s', async (who) => {
      const { world } = backend
      const expected = sees[who]
      for (const speak of [people.users[who], people.keys[who]]) {
        const reply = await speak('GET', address(path, world) + (query?.(world) ?? ''))
        if (typeof expected !== 'string') {
          expect({ status: reply.status, body: reply.body }).toEqual(expected)
          continue
        }
        const known = marks(world)
        const names = (reply.body as Record<string, string>[]).map((row) => known.get(row[key]!) ?? 'other')
        const shown = [...new Set(names)].filter((name) => name !== 'other').sort()
        expect(shown.join(' ')).toBe(expected.split(' ').filter(Boolean).sort().join(' '))
        // Rows of the tests above and the initial rows belong to the platform or to the same tenants.
        const paged = await speak('GET', `${address(path, world)}${query?.(world) ?? '?'}&page=1&page_size=1000`)
        if (!Array.isArray(paged.body) && !pageShowsMore)
          expect(paged.body).toMatchObject({ total: reply.body.length, data: { length: reply.body.length } })
      }
    })
  })

  it('refuses requests without a credential', async () => {
    const before = await snapshot(backend.database)
    for (const call of callsOf(backend.app)) {
      const [method, path] = call.split(' ') as [Method, string]
      if (open.includes(call)) continue
      const { status, body, headers } = await people.nobody(method, address(path, backend.world))
      expect({ call, status, body }).toEqual({ call, status: 401, body: 'Unauthorized' })
      expect(headers['www-authenticate']).toBe('Bearer realm="Users"')
      const stranger = await speaker(backend.app, 'd1a2b3c4-0000-4000-8000-000000000000')(
        method,
        address(path, backend.world),
      )
      expect({ call, status: stranger.status, body: stranger.body }).toEqual({
        call,
        status: 401,
        body: 'Unauthorized',
      })
      expect(stranger.headers['www-authenticate']).toBe('Bearer realm="Users", error="invalid_token"')
    }
    expect(await snapshot(backend.database)).toEqual(before)
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
