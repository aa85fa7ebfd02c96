import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCallStore, newTenants } from '../../../../test/call-stores'
import { databaseEngines, type EmptyDatabase } from '../../../../test/databases'
import { countTurnsDuring } from '../../../../test/event-loop-turns'
import type { AlertGroupListOptions, CallHistory, Point, Tenant } from '../../../ports/call-history'
import { createSqlCallHistory } from './store'

const dayMs = 86_400_000

describe.each(databaseEngines)('grouped alerts (%s)', (engine) => {
  const now = Date.now()
  let database: EmptyDatabase
  let history: CallHistory
  const openServer = (retentionDays = 0) =>
    createSqlCallHistory({ database }, { calls: 0, alerts: retentionDays }, () => now)
  beforeAll(async () => {
    const store = await openCallStore(engine, () => now)
    database = store.database!
    history = store.history
  })
  afterAll(() => database.close())

  const buildAlert = (
    { north, acme }: ReturnType<typeof newTenants>,
    secondsAgo: number,
    message: string,
    alert_type = 'no-carrier',
  ): Point => ({
    tags: { service_provider_sid: north, account_sid: acme, alert_type },
    fields: { message },
    timeNs: BigInt(now - secondsAgo * 1000) * 1_000_000n,
  })
  const listGroups = async (server: CallHistory, tenant: Tenant, options: Partial<AlertGroupListOptions> = {}) => {
    const { total, rows } = await server.listAlertGroups(tenant, { page: 1, count: 500, ...options })
    return {
      total,
      groups: rows.map(({ message, count, accounts, time, first }) => [message, count, accounts, time, first]),
    }
  }
  const countIndexRows = async () => {
    const { rows } = await sql<{ number: number }>`select count(*) as number from trunkline_grouped_alerts`.execute(
      database.db,
    )
    return Number(rows[0]?.number)
  }

  it('groups alerts of an older version before, during and after the backfill', async () => {
    const tenants = newTenants()
    const owner = { service_provider_sid: tenants.north }
    const points = Array.from({ length: 1200 }, (_, index) =>
      buildAlert(tenants, index * 60, `m${index % 7}`, index % 3 ? 'no-carrier' : 'tts-failure'),
    )
    await history.writePoints('alerts', points)
    const filter = { alert_type: 'tts-failure', message: 'm3' }
    const optionSets: Partial<AlertGroupListOptions>[] = [
      {},
      { page: 2, count: 4 },
      { alert_type: 'TTS-failure' },
      { from: now - 20_000_000, to: now - 9_000_000 },
      { ...filter, isByAccount: true },
    ]
    const readAll = async (server: CallHistory) => [
      ...(await Promise.all(
        [owner, { account_sid: tenants.acme }].flatMap((tenant) =>
          optionSets.map((options) => listGroups(server, tenant, options)),
        ),
      )),
      await server.listAlerts(owner, { page: 2, count: 5, ...filter }),
      (await server.listAlertGroups(owner, { page: 1, count: 3, hasHistory: true })).rows.map((row) => row.history),
    ]
    const expected = await readAll(history)
    expect(expected[0]).toMatchObject({ total: 14 })

    await sql`delete from trunkline_grouped_alerts`.execute(database.db)
    await sql`delete from trunkline_progress where name = 'grouped alerts'`.execute(database.db)
    const server = openServer()
    expect(await readAll(server)).toEqual(expected)
    const abortController = new AbortController()
    setTimeout(() => abortController.abort(), 1)
    await server.backfill(abortController.signal)
    expect(await readAll(server)).toEqual(expected)
    await server.writePoints('alerts', [points[1150]!])
    await Promise.all([server, openServer()].map((instance) => instance.backfill(new AbortController().signal)))
    expect(await readAll(openServer())).toEqual(expected)
    expect(await countIndexRows()).toBe(2 * points.length)
  }, 60_000)

  it('groups the alerts that a text matches', async () => {
    const tenants = newTenants()
    await history.writePoints(
      'alerts',
      Array.from({ length: 2500 }, (_, index) =>
        buildAlert(tenants, index * 600, `${index % 5 ? 'route' : 'trunk'} ${index % 10}`, index % 2 ? 'down' : 'slow'),
      ),
    )
    const owner = { service_provider_sid: tenants.north }
    const optionSets: AlertGroupListOptions[] = [
      { page: 1, count: 500, hasHistory: true },
      { page: 2, count: 3, hasHistory: true, to: now - 500_000_000 },
      { page: 1, count: 500, isByAccount: true, from: now - 700_000_000, alert_type: 'down', message: 'route 7' },
    ]
    for (const options of optionSets)
      expect(await history.listAlertGroups(owner, { ...options, text: 'U' })).toEqual(
        await history.listAlertGroups(owner, options),
      )
    const { groups } = await listGroups(history, { account_sid: tenants.acme }, { text: 'TRUNK' })
    expect(groups.map(([message, count, accounts]) => [message, count, accounts])).toEqual([
      ['trunk 0', 250, 1],
      ['trunk 5', 250, 1],
    ])
    expect((await listGroups(history, { account_sid: tenants.bolt }, { text: 'u' })).total).toBe(0)
  })

  it('counts an alert once that is written again with another field', async () => {
    const tenants = newTenants()
    const alert = buildAlert(tenants, 5, 'busy')
    await history.writePoints('alerts', [alert])
    await history.writePoints('alerts', [{ ...alert, fields: { ...alert.fields, code: '503' } }])
    const { groups } = await listGroups(history, { service_provider_sid: tenants.north })
    expect(groups.map(([message, count]) => [message, count])).toEqual([['busy', 1]])
  })

  it('distinguishes messages by case', async () => {
    const tenants = newTenants()
    await history.writePoints('alerts', [buildAlert(tenants, 1, 'Busy'), buildAlert(tenants, 2, 'busy')])
    const tenant = { account_sid: tenants.acme }
    expect((await listGroups(history, tenant)).total).toBe(2)
    expect((await listGroups(history, tenant, { text: 'bus' })).total).toBe(2)
  })

  it('finds a text as the database compares texts', async () => {
    const tenants = newTenants()
    await history.writePoints('alerts', [buildAlert(tenants, 1, 'Route "A"\\n', 'café-failure')])
    const countAlerts = async (text: string) =>
      (await history.listAlerts({ account_sid: tenants.acme }, { page: 1, count: 5, text })).total
    expect(await Promise.all(['route "a"', 'a"\\n', 'CAFé-Fail', 'tea'].map(countAlerts))).toEqual([1, 1, 1, 0])
    // In MySQL, the collation of the column of types ignores accents.
    expect(await countAlerts('cafè')).toBe(engine === 'mysql' ? 1 : 0)
  })

  it('is pruned together with the alerts', async () => {
    const rowCount = await countIndexRows()
    const tenants = newTenants()
    await history.writePoints('alerts', [
      buildAlert(tenants, 1, 'new'),
      buildAlert(tenants, (40 * dayMs) / 1000, 'old'),
    ])
    await openServer(30).prune()
    expect((await listGroups(history, { account_sid: tenants.acme })).groups.map(([message]) => message)).toEqual([
      'new',
    ])
    expect(await countIndexRows()).toBe(rowCount + 2)
  })

  it('lists the 5,000 groups with the newest alerts, and handles other events meanwhile', async () => {
    const tenants = newTenants()
    for (let start = 0; start < 6000; start += 1000)
      await history.writePoints(
        'alerts',
        Array.from({ length: 1000 }, (_, index) => buildAlert(tenants, start + index, `text ${start + index}`)),
      )
    const owner = { service_provider_sid: tenants.north }
    expect((await listGroups(history, owner, { count: 1 })).total).toBe(5000)
    const lastPage = await listGroups(history, owner, { page: 10 })
    expect(lastPage.groups.at(-1)?.[0]).toBe('text 4999')
    expect(await countTurnsDuring(listGroups(history, owner, { count: 25 }))).toBeGreaterThanOrEqual(3)
    const search = { page: 2, count: 25, text: 'EXT 12' }
    const { total, rows } = await history.listAlerts(owner, search)
    expect([total, rows[0]?.message]).toEqual([111, 'text 1214'])
    expect(await countTurnsDuring(history.listAlerts(owner, search))).toBeGreaterThanOrEqual(3)
    const groupSearch = { page: 1, count: 1, text: 'EXT' }
    expect((await history.listAlertGroups(owner, groupSearch)).total).toBe(5000)
    expect(await countTurnsDuring(history.listAlertGroups(owner, groupSearch))).toBeGreaterThanOrEqual(
      engine === 'sqlite' ? 3 : 1,
    )
  }, 120_000)
})
