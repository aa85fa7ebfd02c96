import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const categories = [
  'api_rate',
  'voice_call_session',
  'device',
  'voice_call_minutes',
  'voice_call_session_license',
  'voice_call_minutes_license',
]

describe.each(engines)('limits (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    admin = as('admin')
    north = as('north')
    acme = as('acme')
  })
  afterAll(() => backend.close())

  const owners = [
    ['an account', () => `/Accounts/${backend.world.accounts.acme}/Limits`, 'account_limits_sid', 'account_sid'],
    [
      'a service provider',
      () => `/ServiceProviders/${backend.world.providers.north}/Limits`,
      'service_provider_limits_sid',
      'service_provider_sid',
    ],
  ] as const

  describe.each(owners)('of %s', (_, path, key, owner) => {
    it('are set, updated in place, filtered by category and removed', async () => {
      expect(await north('GET', path())).toMatchObject({ status: 200, body: [] })
      const sids: Record<string, string> = {}
      for (const [timestamp, category] of categories.entries()) {
        const { status, body } = await north('POST', path(), { category, quantity: timestamp })
        expect(status).toBe(201)
        sids[category] = body.sid
      }
      const { body } = await north('GET', path())
      expect(Object.fromEntries(body.map((row: Record<string, string>) => [row.category, row[key]]))).toEqual(sids)
      expect(Object.keys(body[0]).sort()).toEqual([key, owner, 'category', 'quantity'].sort())

      // Some clients send the whole row.
      const [row] = (await north('GET', `${path()}?category=device`)).body
      expect(row).toMatchObject({ category: 'device', quantity: 2 })
      expect(await north('POST', path(), { ...row, quantity: 7 })).toMatchObject({
        status: 201,
        body: { sid: sids.device },
      })
      expect((await admin('GET', `${path()}?category=device`)).body).toEqual([{ ...row, quantity: 7 }])

      expect(await north('DELETE', `${path()}?category=device`)).toMatchObject({ status: 204, body: undefined })
      expect((await north('GET', path())).body).toHaveLength(categories.length - 1)
      expect(await north('DELETE', `${path()}?category=device`)).toMatchObject({ status: 204 })
      expect(await north('DELETE', path())).toMatchObject({ status: 204 })
      expect((await north('GET', path())).body).toEqual([])
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
    ])('are refused as %j', async (body, field) => {
      const initialSnapshot = await snapshot(backend.database)
      const reply = await north('POST', path(), body)
      expect(reply).toMatchObject({ status: 400, body: { field, msg: expect.stringContaining(field) } })
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('refuse an unknown category', async () => {
      await north('POST', path(), { category: 'device', quantity: 1 })
      for (const word of ['calls', ''])
        for (const method of ['GET', 'DELETE'] as const)
          expect(await north(method, `${path()}?category=${word}`)).toMatchObject({
            status: 400,
            body: { field: 'category' },
          })
      expect((await north('GET', path())).body).toHaveLength(1)
    })

    it('have one row per category, also for parallel requests', async () => {
      await Promise.all(
        Array.from({ length: 12 }, (__, quantity) => north('POST', path(), { category: 'api_rate', quantity })),
      )
      expect((await north('GET', `${path()}?category=api_rate`)).body).toHaveLength(1)
    })

    it('merge duplicate rows of other programs', async () => {
      const table = `${owner.replace('_sid', '')}_limits` as 'account_limits'
      const sid = path().split('/')[2]!
      await north('DELETE', path())
      for (const quantity of [1, 2])
        await backend.database.db
          .insertInto(table)
          .values({ [key]: randomUUID(), [owner]: sid, category: 'device', quantity } as never)
          .execute()
      await north('POST', path(), { category: 'device', quantity: 3 })
      expect((await north('GET', path())).body).toMatchObject([{ category: 'device', quantity: 3 }])
    })
  })

  it('belong to one owner', async () => {
    const [ownRecord, other] = [backend.world.accounts.acme, backend.world.accounts.bolt].map(
      (sid) => `/Accounts/${sid}/Limits`,
    ) as [string, string]
    for (const path of [ownRecord, other]) await north('POST', path, { category: 'voice_call_session', quantity: 5 })
    await north('POST', ownRecord, { category: 'voice_call_session', quantity: 6 })
    await north('DELETE', ownRecord)
    expect((await north('GET', other)).body).toMatchObject([{ quantity: 5 }])
  })

  it('of an unknown owner return 404', async () => {
    for (const area of ['Accounts', 'ServiceProviders'] as const) {
      const path = `/${area}/${randomUUID()}/Limits`
      const gate = { status: 'fail', message: 'insufficient privileges', msg: 'insufficient privileges' }
      expect(await admin('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
      expect(await admin('POST', path, { category: 'device', quantity: 1 })).toMatchObject({ status: 404 })
      for (const actorName of [north, acme])
        expect(await actorName('GET', path)).toMatchObject({ status: 403, body: gate })
      expect(await admin('GET', `/${area}/x/Limits`)).toMatchObject({ status: 400, body: { msg: 'Bad request' } })
      expect(await acme('GET', `/${area}/x/Limits`)).toMatchObject({
        status: 400,
        body: { status: 'fail', message: `invalid ${area}Sid format` },
      })
    }
  })

  it('are set by administrators only if all categories are in use', async () => {
    const sold = await startBackend({ engine, config: { features: { ...defaultFeatureFlags, allLimits: true } } })
    const { keys, accounts, providers } = sold.world
    const gate = { status: 403, body: { status: 'fail', msg: 'insufficient privileges' } }
    for (const path of [`/Accounts/${accounts.acme}/Limits`, `/ServiceProviders/${providers.north}/Limits`]) {
      const [above, owner] = [keys.admin, keys.north].map((key) => apiClient(sold.app, key)) as [ApiClient, ApiClient]
      const draft = { category: 'voice_call_session', quantity: 5 }
      expect(await owner('POST', path, draft)).toMatchObject(gate)
      expect(await above('POST', path, draft)).toMatchObject({ status: 201 })
      expect(await owner('DELETE', path)).toMatchObject(gate)
      expect(await owner('GET', path)).toMatchObject({ status: 200, body: [draft] })
      expect(await above('DELETE', path)).toMatchObject({ status: 204 })
    }
    await sold.close()
  })

  it('are deleted with their account', async () => {
    const { body } = await admin('POST', '/Accounts', {
      name: 'limited',
      service_provider_sid: backend.world.providers.north,
    })
    await admin('POST', `/Accounts/${body.sid}/Limits`, { category: 'device', quantity: 1 })
    expect(await admin('DELETE', `/Accounts/${body.sid}`)).toMatchObject({ status: 204 })
    const left = await backend.database.db
      .selectFrom('account_limits')
      .selectAll()
      .where('account_sid', '=', body.sid)
      .execute()
    expect(left).toEqual([])
  })
})
