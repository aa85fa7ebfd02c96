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
})
