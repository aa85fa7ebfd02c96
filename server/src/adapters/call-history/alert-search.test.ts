import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callStores, openCallStore, newTenants, type CallStore } from '../../../test/call-stores'
import type { AlertListOptions, Point, Tenant } from '../../ports/call-history'

describe.each(callStores)('searching alerts (%s)', (kind) => {
  const now = Date.now()
  let store: CallStore
  beforeAll(async () => {
    store = await openCallStore(kind, () => now)
  })
  afterAll(() => store.database?.close())

  const buildAlert = (tags: Record<string, string>, secondsAgo: number, fields: Point['fields']): Point => ({
    tags,
    fields,
    timeNs: BigInt(now - secondsAgo * 1000) * 1_000_000n,
  })

  /** Writes four failures of one webhook in two accounts, and one speech failure. */
  const writeAlerts = async () => {
    const { north, acme, bolt } = newTenants()
    const target_sid = randomUUID()
    const owner = (account_sid: string) => ({ service_provider_sid: north, account_sid })
    const webhook = { alert_type: 'webhook-failure' }
    const message = 'https://example.com/Call returned 503'
    await store.history.writePoints('alerts', [
      buildAlert({ ...owner(acme), ...webhook }, 1, { message, target_sid }),
      buildAlert({ ...owner(acme), alert_type: 'tts-failure', vendor: 'polly' }, 2, {
        message: 'speech',
        detail: 'Quota 100%',
      }),
      buildAlert({ ...owner(acme), ...webhook }, 3, { message }),
      buildAlert({ ...owner(bolt), ...webhook }, 4, { message }),
      buildAlert({ ...owner(acme), ...webhook }, 5, { message }),
    ])
    return { north, acme, target_sid, message }
  }

  const findAges = async (tenant: Tenant, options: Partial<AlertListOptions>) => {
    const { total, rows } = await store.history.listAlerts(tenant, { page: 1, count: 500, ...options })
    return { total, ages: rows.map(({ time }) => Math.round((now - Date.parse(time)) / 1000)) }
  }

  it('finds alerts by part of their content, ignoring case', async () => {
    const { acme, target_sid } = await writeAlerts()
    const tenant = { account_sid: acme }
    expect(await findAges(tenant, { text: 'example.com/call' })).toEqual({ total: 3, ages: [1, 3, 5] })
    expect(await findAges(tenant, { text: 'QUOTA 100%' })).toEqual({ total: 1, ages: [2] })
    expect(await findAges(tenant, { text: 'Polly' })).toEqual({ total: 1, ages: [2] })
    expect(await findAges(tenant, { text: 'tts-fail' })).toEqual({ total: 1, ages: [2] })
    expect(await findAges(tenant, { text: target_sid })).toEqual({ total: 1, ages: [1] })
    expect(await findAges(tenant, { text: '503', alert_type: 'tts-failure' })).toEqual({ total: 0, ages: [] })
  })

  it('finds alerts by their complete message', async () => {
    const { acme, message } = await writeAlerts()
    const filter = { message, alert_type: 'webhook-failure' }
    expect(await findAges({ account_sid: acme }, filter)).toEqual({ total: 3, ages: [1, 3, 5] })
    expect((await findAges({ account_sid: acme }, { message: 'https' })).total).toBe(0)
  })

  it('groups alerts of one type with the same message', async () => {
    const { north, acme, message } = await writeAlerts()
    const listGroups = async (tenant: Tenant, options: Partial<AlertListOptions> = {}) => {
      const groupPage = await store.history.listAlertGroups(tenant, { page: 1, count: 500, ...options })
      return { total: groupPage.total, rows: groupPage.rows.map((row) => [row.message, row.count, row.accounts]) }
    }
    expect(await listGroups({ service_provider_sid: north })).toEqual({
      total: 2,
      rows: [
        [message, 4, 2],
        ['speech', 1, 1],
      ],
    })
    expect(await listGroups({ account_sid: acme }, { page: 2, count: 1 })).toEqual({
      total: 2,
      rows: [['speech', 1, 1]],
    })
    expect(await listGroups({ account_sid: acme }, { text: '503' })).toEqual({ total: 1, rows: [[message, 3, 1]] })
    const { rows } = await store.history.listAlertGroups({ account_sid: acme }, { page: 1, count: 1 })
    expect([rows[0]?.time, rows[0]?.first]).toEqual([1000, 5000].map((ageMs) => new Date(now - ageMs).toISOString()))
  })

  it('groups the alerts of one message by account', async () => {
    const { north, acme, message } = await writeAlerts()
    const filter = { page: 1, count: 500, message, alert_type: 'webhook-failure', isByAccount: true }
    const { total, rows } = await store.history.listAlertGroups({ service_provider_sid: north }, filter)
    expect(total).toBe(2)
    expect(rows.map((row) => [row.account_sid === acme, row.count, row.accounts])).toEqual([
      [true, 3, 1],
      [false, 1, 1],
    ])
  })

  describe('the history of a group', () => {
    const hourSeconds = 3600
    /** Writes alerts of one group at these ages, and one alert of another group. */
    const writeHistory = async (agesSeconds: number[]) => {
      const { north, acme } = newTenants()
      const tags = { service_provider_sid: north, account_sid: acme, alert_type: 'no-carrier' }
      await store.history.writePoints('alerts', [
        ...agesSeconds.map((secondsAgo) => buildAlert(tags, secondsAgo, { message: 'no route' })),
        buildAlert(tags, 2 * hourSeconds, { message: 'other' }),
      ])
      return { account_sid: acme }
    }
    const readHistory = async (tenant: Tenant, options: Partial<AlertListOptions> = {}) => {
      const { rows } = await store.history.listAlertGroups(tenant, { page: 1, count: 9, hasHistory: true, ...options })
      const group = rows.find((row) => row.message === 'no route')
      const counts = (group?.history ?? []).map((count, index) => [index, count])
      return { length: counts.length, counts: counts.filter(([, count]) => count !== 0), count: group?.count }
    }

    it('counts the alerts of every 6 hours of a week, also before the period of the list', async () => {
      const tenant = await writeHistory([1, 2, 7 * hourSeconds, 167 * hourSeconds, 169 * hourSeconds])
      const counts = [
        [0, 1],
        [26, 1],
        [27, 2],
      ]
      expect(await readHistory(tenant)).toEqual({ length: 28, counts, count: 5 })
      expect(await readHistory(tenant, { from: now - 60_000 })).toEqual({ length: 28, counts, count: 2 })
    })

    it('ends where the period of the list ends', async () => {
      const tenant = await writeHistory([hourSeconds, 25 * hourSeconds, 26 * hourSeconds, 61 * hourSeconds])
      expect(await readHistory(tenant, { to: now - 24 * hourSeconds * 1000 })).toEqual({
        length: 28,
        counts: [
          [21, 1],
          [27, 2],
        ],
        count: 3,
      })
    })

    it('includes the alerts of a voice server whose clock is ahead, and is empty for older alerts', async () => {
      expect((await readHistory(await writeHistory([-3 * hourSeconds]))).counts).toEqual([[27, 1]])
      expect(await readHistory(await writeHistory([500 * hourSeconds]))).toEqual({ length: 28, counts: [], count: 1 })
    })

    it('is left out unless it is requested', async () => {
      const tenant = await writeHistory([1])
      expect((await readHistory(tenant, { hasHistory: false } as object)).length).toBe(0)
    })
  })
})
