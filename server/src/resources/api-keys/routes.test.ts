import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { publishedTokens } from '../../db/seed-data'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe.each(databaseEngines)('API keys (%s)', (databaseEngine) => {
  let backend: Backend
  let apiClients: Record<'admin' | 'north' | 'south' | 'acme' | 'bolt', ApiClient>
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: keyof typeof apiClients) => createApiClient(backend.app, backend.testData.keys[name])
    apiClients = {
      admin: clientOf('admin'),
      north: clientOf('north'),
      south: clientOf('south'),
      acme: clientOf('acme'),
      bolt: clientOf('bolt'),
    }
  })
  afterAll(() => backend.close())

  const listKeys = async (client: ApiClient, path: string) =>
    (await client('GET', path)).body as Record<string, string | null>[]

  it('are masked for view-only users', async () => {
    const { testData, app } = backend
    const { body } = await apiClients.acme('POST', '/ApiKeys', { account_sid: testData.acme.account })
    const { sid, token } = body as { sid: string; token: string }
    const viewerClient = createApiClient(app, await fetchToken(app, 'viewer'))
    const maskedKey = (await listKeys(viewerClient, `/Accounts/${testData.acme.account}/ApiKeys`)).find(
      (key) => key.api_key_sid === sid,
    )
    expect(maskedKey?.token).toBe(`XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXX${token.slice(-4)}`)
    await apiClients.acme('DELETE', `/ApiKeys/${sid}`)
  })

  it('have a token that works immediately, with the scope of its owner', async () => {
    const { testData, app } = backend
    const cases = [
      [{}, 'admin', { account_sid: null, service_provider_sid: null }, 4],
      [
        { service_provider_sid: testData.providers.north },
        'north',
        { account_sid: null, service_provider_sid: testData.providers.north },
        2,
      ],
      // With an account, the provider is not stored.
      [
        { account_sid: testData.acme.account, service_provider_sid: testData.providers.north },
        'acme',
        { account_sid: testData.acme.account, service_provider_sid: null },
        1,
      ],
    ] as const
    for (const [body, actorName, owner, visibleAccountCount] of cases) {
      const creation = await apiClients[actorName]('POST', '/ApiKeys', body)
      expect(creation).toMatchObject({
        status: 201,
        body: { sid: expect.stringMatching(uuidPattern), token: expect.stringMatching(uuidPattern) },
      })
      expect(Object.keys(creation.body).sort()).toEqual(['sid', 'token'])
      const row = await backend.database.db
        .selectFrom('api_keys')
        .selectAll()
        .where('api_key_sid', '=', creation.body.sid)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject(owner)
      const keyClient = createApiClient(app, creation.body.token)
      expect((await keyClient('GET', '/Accounts')).body).toHaveLength(visibleAccountCount)
      expect(await keyClient('DELETE', `/ApiKeys/${creation.body.sid}`)).toMatchObject({ status: 204, body: undefined })
      expect(await keyClient('GET', '/Accounts')).toMatchObject({ status: 401 })
    }
  })

  it('have an optional name, which is deleted with the key', async () => {
    const account_sid = backend.testData.acme.account
    const { body: namedKey } = await apiClients.acme('POST', '/ApiKeys', { account_sid, name: ' Voice agent ' })
    const { body: unnamedKey } = await apiClients.acme('POST', '/ApiKeys', { account_sid, name: '' })
    const fetchNames = async () =>
      Object.fromEntries(
        (await listKeys(apiClients.acme, `/Accounts/${account_sid}/ApiKeys`)).map((key) => [key.api_key_sid, key.name]),
      )
    expect(await fetchNames()).toMatchObject({ [namedKey.sid]: 'Voice agent', [unnamedKey.sid]: null })
    const { db } = backend.database
    // Another program deletes the key without its name.
    await db.deleteFrom('api_keys').where('api_key_sid', '=', namedKey.sid).execute()
    await apiClients.acme('DELETE', `/ApiKeys/${unnamedKey.sid}`)
    expect(await db.selectFrom('trunkline_api_key_names').selectAll().execute()).toEqual([])
  })

  it('are refused with a name of more than 64 characters', async () => {
    const account_sid = backend.testData.acme.account
    expect(await apiClients.acme('POST', '/ApiKeys', { account_sid, name: 'a'.repeat(65) })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('name') },
    })
  })

  it('are created with their own token and dates, not those in the body', async () => {
    const account_sid = backend.testData.acme.account
    const draft = { account_sid, api_key_sid: 'x', token: 'chosen', last_used: null, created_at: '2020-01-01' }
    const { status, body } = await apiClients.acme('POST', '/ApiKeys', draft)
    expect({ status, body }).toEqual({
      status: 201,
      body: { sid: expect.stringMatching(uuidPattern), token: expect.stringMatching(uuidPattern) },
    })
    const row = (await listKeys(apiClients.acme, `/Accounts/${account_sid}/ApiKeys`)).find(
      ({ api_key_sid }) => api_key_sid === body.sid,
    )
    expect(row).toMatchObject({ token: body.token, last_used: null })
    expect(row?.created_at).not.toMatch(/^2020/)
    await apiClients.acme('DELETE', `/ApiKeys/${body.sid}`)
  })

  it("of an account can read the account's provider", async () => {
    const { providers } = backend.testData
    expect((await apiClients.acme('GET', '/ServiceProviders')).body).toMatchObject([
      { service_provider_sid: providers.north },
    ])
    expect(await apiClients.acme('GET', `/ServiceProviders/${providers.north}`)).toMatchObject({ status: 200 })
  })

  it.each<[keyof typeof apiClients, (testData: Backend['testData']) => object, string]>([
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
  ])('cannot be created by %s with an invalid body or for a foreign owner (case %#)', async (actorName, body, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await apiClients[actorName]('POST', '/ApiKeys', body(backend.testData))).toMatchObject({
      status: 400,
      body: { msg },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[keyof typeof apiClients, 'admin' | 'north' | 'south' | 'acme' | 'corp', string]>([
    ['north', 'admin', 'a service provider user may not delete an admin token'],
    ['north', 'south', 'a service provider user may not delete api key from another service provider'],
    ['north', 'corp', 'a service provider user may not delete api key from another service provider'],
    ['acme', 'north', 'a user may not delete a token associated with a different account'],
    ['acme', 'admin', 'a user may not delete a token associated with a different account'],
    ['bolt', 'acme', 'a user may not delete a token associated with a different account'],
  ])('cannot be deleted by %s if they belong to %s', async (actorName, keyOwner, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await apiClients[actorName]('DELETE', `/ApiKeys/${backend.testData.keySids[keyOwner]}`)).toMatchObject({
      status: 400,
      body: { msg },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are listed with their tokens by owner', async () => {
    const { testData } = backend
    const rows = await listKeys(apiClients.north, `/Accounts/${testData.acme.account}/ApiKeys`)
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
      token: testData.keys.acme,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.000Z$/),
    })
    expect(
      (await listKeys(apiClients.north, `/ServiceProviders/${testData.providers.north}/ApiKeys`)).map(
        ({ token }) => token,
      ),
    ).toEqual([testData.keys.north])
  })

  it('are refused after they expire', async () => {
    const createToken = async (expires_at: string) =>
      (await apiClients.acme('POST', '/ApiKeys', { account_sid: backend.testData.acme.account, expires_at })).body.token
    const futureTimestamp = new Date(Date.now() + 3_600_000).toISOString()
    expect(await createApiClient(backend.app, await createToken(futureTimestamp))('GET', '/Accounts')).toMatchObject({
      status: 200,
    })
    expect(
      await createApiClient(backend.app, await createToken('2020-01-01T00:00:00Z'))('GET', '/Accounts'),
    ).toMatchObject({
      status: 401,
      body: 'Unauthorized',
    })
    const rows = await listKeys(apiClients.acme, `/Accounts/${backend.testData.acme.account}/ApiKeys`)
    expect(rows.map(({ expires_at }) => expires_at)).toEqual(expect.arrayContaining([null, '2020-01-01T00:00:00.000Z']))
  })

  it('are listed with the time of their last use', async () => {
    const { testData } = backend
    const path = `/Accounts/${testData.bolt.account}/ApiKeys`
    expect((await listKeys(apiClients.north, path))[0]!.last_used).not.toBeUndefined()
    await apiClients.bolt('GET', '/Accounts')
    const [row] = await listKeys(apiClients.north, path)
    expect(Math.abs(Date.parse(row!.last_used!) - Date.now())).toBeLessThan(60_000)
  })

  it('are refused if their token is one of the published default tokens', async () => {
    for (const token of publishedTokens)
      expect(await createApiClient(backend.app, token)('GET', '/Accounts')).toMatchObject({ status: 401 })
  })
})
