import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const categories = [
  'api_rate',
  'voice_call_session',
  'device',
  'voice_call_minutes',
  'voice_call_session_license',
  'voice_call_minutes_license',
]

describe.each(databaseEngines)('limits (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    adminClient = clientOf('admin')
    northClient = clientOf('north')
    acmeClient = clientOf('acme')
  })
  afterAll(() => backend.close())

  const owners = [
    ['an account', () => `/Accounts/${backend.testData.accounts.acme}/Limits`, 'account_limits_sid', 'account_sid'],
    [
      'a service provider',
      () => `/ServiceProviders/${backend.testData.providers.north}/Limits`,
      'service_provider_limits_sid',
      'service_provider_sid',
    ],
  ] as const

  describe.each(owners)('of %s', (_, path, keyColumn, ownerColumn) => {
    it('are set, updated in place, filtered by category and removed', async () => {
      expect(await northClient('GET', path())).toMatchObject({ status: 200, body: [] })
      const sids: Record<string, string> = {}
      for (const [index, category] of categories.entries()) {
        const { status, body } = await northClient('POST', path(), { category, quantity: index })
        expect(status).toBe(201)
        sids[category] = body.sid
      }
      const { body } = await northClient('GET', path())
      expect(Object.fromEntries(body.map((row: Record<string, string>) => [row.category, row[keyColumn]]))).toEqual(
        sids,
      )
      expect(Object.keys(body[0]).sort()).toEqual([keyColumn, ownerColumn, 'category', 'quantity'].sort())

      // Some clients send the whole row.
      const [row] = (await northClient('GET', `${path()}?category=device`)).body
      expect(row).toMatchObject({ category: 'device', quantity: 2 })
      expect(await northClient('POST', path(), { ...row, quantity: 7 })).toMatchObject({
        status: 201,
        body: { sid: sids.device },
      })
      expect((await adminClient('GET', `${path()}?category=device`)).body).toEqual([{ ...row, quantity: 7 }])

      expect(await northClient('DELETE', `${path()}?category=device`)).toMatchObject({ status: 204, body: undefined })
      expect((await northClient('GET', path())).body).toHaveLength(categories.length - 1)
      expect(await northClient('DELETE', `${path()}?category=device`)).toMatchObject({ status: 204 })
      expect(await northClient('DELETE', path())).toMatchObject({ status: 204 })
      expect((await northClient('GET', path())).body).toEqual([])
    })

    it.each([
      [{ category: 'calls', quantity: 1 }, 'category'],
      [{ quantity: 1 }, 'category'],
      [{ category: 'device' }, 'quantity'],
      [{ category: 'device', quantity: -1 }, 'quantity'],
      [{ category: 'device', quantity: 1.5 }, 'quantity'],
      [{ category: 'device', quantity: 'many' }, 'quantity'],
      [{ category: 'device', quantity: null }, 'quantity'],
      [{ category: 'device', quantity: 2_147_483_648 }, 'quantity'],
      [{ category: 'device', quantity: 1, unit: 'x' }, 'unit'],
    ])('are refused with the body %j', async (body, field) => {
      const initialSnapshot = await takeSnapshot(backend.database)
      const response = await northClient('POST', path(), body)
      expect(response).toMatchObject({ status: 400, body: { field, msg: expect.stringContaining(field) } })
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('refuse an unknown category', async () => {
      await northClient('POST', path(), { category: 'device', quantity: 1 })
      for (const invalidCategory of ['calls', ''])
        for (const method of ['GET', 'DELETE'] as const)
          expect(await northClient(method, `${path()}?category=${invalidCategory}`)).toMatchObject({
            status: 400,
            body: { field: 'category' },
          })
      expect((await northClient('GET', path())).body).toHaveLength(1)
    })

    it('have one row per category, also for parallel requests', async () => {
      await Promise.all(
        Array.from({ length: 12 }, (__, quantity) => northClient('POST', path(), { category: 'api_rate', quantity })),
      )
      expect((await northClient('GET', `${path()}?category=api_rate`)).body).toHaveLength(1)
    })

    it('merge duplicate rows that another program inserted', async () => {
      const table = `${ownerColumn.replace('_sid', '')}_limits` as 'account_limits'
      const ownerSid = path().split('/')[2]!
      await northClient('DELETE', path())
      for (const quantity of [1, 2])
        await backend.database.db
          .insertInto(table)
          .values({ [keyColumn]: randomUUID(), [ownerColumn]: ownerSid, category: 'device', quantity } as never)
          .execute()
      await northClient('POST', path(), { category: 'device', quantity: 3 })
      expect((await northClient('GET', path())).body).toMatchObject([{ category: 'device', quantity: 3 }])
    })
  })

  it('of one account do not change with those of another', async () => {
    const [acmePath, boltPath] = [backend.testData.accounts.acme, backend.testData.accounts.bolt].map(
      (sid) => `/Accounts/${sid}/Limits`,
    ) as [string, string]
    for (const path of [acmePath, boltPath])
      await northClient('POST', path, { category: 'voice_call_session', quantity: 5 })
    await northClient('POST', acmePath, { category: 'voice_call_session', quantity: 6 })
    await northClient('DELETE', acmePath)
    expect((await northClient('GET', boltPath)).body).toMatchObject([{ quantity: 5 }])
  })

  it('of an unknown owner cause a 404', async () => {
    for (const segment of ['Accounts', 'ServiceProviders'] as const) {
      const path = `/${segment}/${randomUUID()}/Limits`
      const refusal = { status: 'fail', message: 'insufficient privileges', msg: 'insufficient privileges' }
      expect(await adminClient('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
      expect(await adminClient('POST', path, { category: 'device', quantity: 1 })).toMatchObject({ status: 404 })
      for (const client of [northClient, acmeClient])
        expect(await client('GET', path)).toMatchObject({ status: 403, body: refusal })
      expect(await adminClient('GET', `/${segment}/x/Limits`)).toMatchObject({
        status: 400,
        body: { msg: 'Bad request' },
      })
      expect(await acmeClient('GET', `/${segment}/x/Limits`)).toMatchObject({
        status: 400,
        body: { status: 'fail', message: `invalid ${segment}Sid format` },
      })
    }
  })

  it('can be changed only by administrators if the feature flag allLimits is on', async () => {
    const allLimitsBackend = await startBackend({
      databaseEngine,
      config: { features: { ...defaultFeatureFlags, allLimits: true } },
    })
    const { keys, accounts, providers } = allLimitsBackend.testData
    const refusal = { status: 403, body: { status: 'fail', msg: 'insufficient privileges' } }
    for (const path of [`/Accounts/${accounts.acme}/Limits`, `/ServiceProviders/${providers.north}/Limits`]) {
      const [adminClient, ownerClient] = [keys.admin, keys.north].map((key) =>
        createApiClient(allLimitsBackend.app, key),
      ) as [ApiClient, ApiClient]
      const draft = { category: 'voice_call_session', quantity: 5 }
      expect(await ownerClient('POST', path, draft)).toMatchObject(refusal)
      expect(await adminClient('POST', path, draft)).toMatchObject({ status: 201 })
      expect(await ownerClient('DELETE', path)).toMatchObject(refusal)
      expect(await ownerClient('GET', path)).toMatchObject({ status: 200, body: [draft] })
      expect(await adminClient('DELETE', path)).toMatchObject({ status: 204 })
    }
    await allLimitsBackend.close()
  })

  it('are deleted with their account', async () => {
    const { body } = await adminClient('POST', '/Accounts', {
      name: 'limited',
      service_provider_sid: backend.testData.providers.north,
    })
    await adminClient('POST', `/Accounts/${body.sid}/Limits`, { category: 'device', quantity: 1 })
    expect(await adminClient('DELETE', `/Accounts/${body.sid}`)).toMatchObject({ status: 204 })
    const remainingRows = await backend.database.db
      .selectFrom('account_limits')
      .selectAll()
      .where('account_sid', '=', body.sid)
      .execute()
    expect(remainingRows).toEqual([])
  })
})
