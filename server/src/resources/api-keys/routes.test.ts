import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { PUBLISHED_TOKENS } from '../../db/seed-data'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe.each(engines)('API keys (%s)', (engine) => {
  let backend: Backend
  let request: Record<'admin' | 'north' | 'south' | 'acme' | 'bolt', ApiClient>
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: keyof typeof request) => apiClient(backend.app, backend.world.keys[name])
    request = { admin: as('admin'), north: as('north'), south: as('south'), acme: as('acme'), bolt: as('bolt') }
  })
  afterAll(() => backend.close())

  const listed = async (actorName: ApiClient, path: string) =>
    (await actorName('GET', path)).body as Record<string, string | null>[]

  it('are masked for view-only users', async () => {
    const { world, app } = backend
    const { body } = await request.acme('POST', '/ApiKeys', { account_sid: world.acme.account })
    const { sid, token } = body as { sid: string; token: string }
    const viewer = apiClient(app, await tokenFor(app, 'viewer'))
    const received = (await listed(viewer, `/Accounts/${world.acme.account}/ApiKeys`)).find(
      (key) => key.api_key_sid === sid,
    )
    expect(received?.token).toBe(`XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXX${token.slice(-4)}`)
    await request.acme('DELETE', `/ApiKeys/${sid}`)
  })

  it('have a token that works at once for its owner', async () => {
    const { world, app } = backend
    const cases = [
      [{}, 'admin', { account_sid: null, service_provider_sid: null }, 4],
      [
        { service_provider_sid: world.providers.north },
        'north',
        { account_sid: null, service_provider_sid: world.providers.north },
        2,
      ],
      // With an account, the provider is not stored.
      [
        { account_sid: world.acme.account, service_provider_sid: world.providers.north },
        'acme',
        { account_sid: world.acme.account, service_provider_sid: null },
        1,
      ],
    ] as const
    for (const [body, actorName, owner, accounts] of cases) {
      const created = await request[actorName]('POST', '/ApiKeys', body)
      expect(created).toMatchObject({
        status: 201,
        body: { sid: expect.stringMatching(uuid), token: expect.stringMatching(uuid) },
      })
      expect(Object.keys(created.body).sort()).toEqual(['sid', 'token'])
      const row = await backend.database.db
        .selectFrom('api_keys')
        .selectAll()
        .where('api_key_sid', '=', created.body.sid)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject(owner)
      const key = apiClient(app, created.body.token)
      expect((await key('GET', '/Accounts')).body).toHaveLength(accounts)
      expect(await key('DELETE', `/ApiKeys/${created.body.sid}`)).toMatchObject({ status: 204, body: undefined })
      expect(await key('GET', '/Accounts')).toMatchObject({ status: 401 })
    }
  })

  it('have an optional name, which is deleted with the key', async () => {
    const account_sid = backend.world.acme.account
    const { body: named } = await request.acme('POST', '/ApiKeys', { account_sid, name: ' Voice agent ' })
    const { body: unnamed } = await request.acme('POST', '/ApiKeys', { account_sid, name: '' })
    const names = async () =>
      Object.fromEntries(
        (await listed(request.acme, `/Accounts/${account_sid}/ApiKeys`)).map((key) => [key.api_key_sid, key.name]),
      )
    expect(await names()).toMatchObject({ [named.sid]: 'Voice agent', [unnamed.sid]: null })
    const { db } = backend.database
    // another program deletes the key without its name
    await db.deleteFrom('api_keys').where('api_key_sid', '=', named.sid).execute()
    await request.acme('DELETE', `/ApiKeys/${unnamed.sid}`)
    expect(await db.selectFrom('trunkline_api_key_names').selectAll().execute()).toEqual([])
  })

  it('are refused with a name of more than 64 characters', async () => {
    const account_sid = backend.world.acme.account
    expect(await request.acme('POST', '/ApiKeys', { account_sid, name: 'a'.repeat(65) })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('name') },
    })
  })

  it('ignore token and dates that a client sends', async () => {
    const account_sid = backend.world.acme.account
    const sent = { account_sid, api_key_sid: 'x', token: 'chosen', last_used: null, created_at: '2020-01-01' }
    const { status, body } = await request.acme('POST', '/ApiKeys', sent)
    expect({ status, body }).toEqual({
      status: 201,
      body: { sid: expect.stringMatching(uuid), token: expect.stringMatching(uuid) },
    })
    const row = (await listed(request.acme, `/Accounts/${account_sid}/ApiKeys`)).find(
      ({ api_key_sid }) => api_key_sid === body.sid,
    )
    expect(row).toMatchObject({ token: body.token, last_used: null })
    expect(row?.created_at).not.toMatch(/^2020/)
    await request.acme('DELETE', `/ApiKeys/${body.sid}`)
  })

  it('of an account know its provider', async () => {
    const { providers } = backend.world
    expect((await request.acme('GET', '/ServiceProviders')).body).toMatchObject([
      { service_provider_sid: providers.north },
    ])
    expect(await request.acme('GET', `/ServiceProviders/${providers.north}`)).toMatchObject({ status: 200 })
  })

  it.each<[keyof typeof request, (world: Backend['world']) => object, string]>([
    ['north', () => ({}), 'service provider token may not be used to create admin token'],
    [
      'north',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      'a service provider token can only be used to create tokens for the same service provider',
    ],
    [
      'north',
      ({ corp }) => ({ account_sid: corp.account }),
      'a service provider token can only be used to create tokens for the same service provider',
    ],
    [
      'north',
      ({ corp, providers }) => ({ account_sid: corp.account, service_provider_sid: providers.north }),
      'a service provider token can only be used to create tokens for the same service provider',
    ],
    ['acme', () => ({}), 'an account level token can only be used to create account level tokens for the same account'],
    [
      'acme',
      ({ bolt }) => ({ account_sid: bolt.account }),
      'an account level token can only be used to create account level tokens for the same account',
    ],
    [
      'acme',
      ({ providers }) => ({ service_provider_sid: providers.north }),
      'an account level token can only be used to create account level tokens for the same account',
    ],
    ['admin', ({ users }) => ({ account_sid: users.acme }), 'unknown account_sid'],
    ['admin', ({ users }) => ({ service_provider_sid: users.acme }), 'unknown service_provider_sid'],
    ['admin', () => ({ expires_at: 'tomorrow' }), 'invalid expires_at'],
    ['admin', () => ({ tokens: 'x' }), 'unknown field tokens'],
  ])('are not created by %s for others (%#)', async (actorName, body, msg) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await request[actorName]('POST', '/ApiKeys', body(backend.world))).toMatchObject({
      status: 400,
      body: { msg },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[keyof typeof request, 'admin' | 'north' | 'south' | 'acme' | 'corp', string]>([
    ['north', 'admin', 'a service provider user may not delete an admin token'],
    ['north', 'south', 'a service provider user may not delete api key from another service provider'],
    ['north', 'corp', 'a service provider user may not delete api key from another service provider'],
    ['acme', 'north', 'a user may not delete a token associated with a different account'],
    ['acme', 'admin', 'a user may not delete a token associated with a different account'],
    ['bolt', 'acme', 'a user may not delete a token associated with a different account'],
  ])('are not removed by %s from %s', async (actorName, whose, msg) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await request[actorName]('DELETE', `/ApiKeys/${backend.world.keySids[whose]}`)).toMatchObject({
      status: 400,
      body: { msg },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are listed with their tokens below their owner', async () => {
    const { world } = backend
    const rows = await listed(request.north, `/Accounts/${world.acme.account}/ApiKeys`)
    expect(rows).toHaveLength(1)
    expect(Object.keys(rows[0]!).sort()).toEqual([
      'account_sid',
      'api_key_sid',
      'created_at',
      'expires_at',
      'last_used',
      'name',
      'service_provider_sid',
      'token',
    ])
    expect(rows[0]).toMatchObject({
      token: world.keys.acme,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.000Z$/),
    })
    expect(
      (await listed(request.north, `/ServiceProviders/${world.providers.north}/ApiKeys`)).map(({ token }) => token),
    ).toEqual([world.keys.north])
  })

  it('expire', async () => {
    const make = async (expires_at: string) =>
      (await request.acme('POST', '/ApiKeys', { account_sid: backend.world.acme.account, expires_at })).body.token
    const timeoutSignal = new Date(Date.now() + 3_600_000).toISOString()
    expect(await apiClient(backend.app, await make(timeoutSignal))('GET', '/Accounts')).toMatchObject({ status: 200 })
    expect(await apiClient(backend.app, await make('2020-01-01T00:00:00Z'))('GET', '/Accounts')).toMatchObject({
      status: 401,
      body: 'Unauthorized',
    })
    const rows = await listed(request.acme, `/Accounts/${backend.world.acme.account}/ApiKeys`)
    expect(rows.map(({ expires_at }) => expires_at)).toEqual(expect.arrayContaining([null, '2020-01-01T00:00:00.000Z']))
  })

  it('store when they were last used', async () => {
    const { world } = backend
    const path = `/Accounts/${world.bolt.account}/ApiKeys`
    expect((await listed(request.north, path))[0]!.last_used).not.toBeUndefined()
    await request.bolt('GET', '/Accounts')
    const [row] = await listed(request.north, path)
    expect(Math.abs(Date.parse(row!.last_used!) - Date.now())).toBeLessThan(60_000)
  })

  it('are not created with published tokens', async () => {
    for (const token of PUBLISHED_TOKENS)
      expect(await apiClient(backend.app, token)('GET', '/Accounts')).toMatchObject({ status: 401 })
  })
})
