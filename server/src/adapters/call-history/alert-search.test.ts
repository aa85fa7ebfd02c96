import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import type { AlertListOptions, Point, Tenant } from '../../ports/call-history'

describe.each(callStores)('searching alerts (%s)', (kind) => {
  const now = Date.now()
  let store: CallStore
  beforeAll(async () => {
    store = await openCallStore(kind, () => now)
  })
  afterAll(() => store.database?.close())

  const point = (tags: Record<string, string>, index: number, fields: Point['fields']): Point => ({
    tags,
    fields,
    time: BigInt(now - index * 1000) * 1_000_000n,
  })

  /** Four failures of one webhook in two accounts, and one speech failure. */
  const write = async () => {
    const { north, acme, bolt } = tenants()
    const target_sid = randomUUID()
    const owner = (account_sid: string) => ({ service_provider_sid: north, account_sid })
    const webhook = { alert_type: 'webhook-failure' }
    const message = 'https://example.com/Call returned 503'
    await store.history.write('alerts', [
      point({ ...owner(acme), ...webhook }, 1, { message, target_sid }),
      point({ ...owner(acme), alert_type: 'tts-failure', vendor: 'polly' }, 2, {
        message: 'speech',
        detail: 'Quota 100%',
      }),
      point({ ...owner(acme), ...webhook }, 3, { message }),
      point({ ...owner(bolt), ...webhook }, 4, { message }),
      point({ ...owner(acme), ...webhook }, 5, { message }),
    ])
    return { north, acme, target_sid, message }
  }

  const timesOf = async (tenant: Tenant, options: Partial<AlertListOptions>) => {
    const { total, rows } = await store.history.alerts(tenant, { page: 1, count: 500, ...options })
    return { total, seconds: rows.map(({ time }) => Math.round((now - Date.parse(time)) / 1000)) }
  }

  it('finds alerts by part of their content, ignoring case', async () => {
    const { acme, target_sid } = await write()
    const tenant = { account_sid: acme }
    expect(await timesOf(tenant, { text: 'example.com/call' })).toEqual({ total: 3, seconds: [1, 3, 5] })
    expect(await timesOf(tenant, { text: 'QUOTA 100%' })).toEqual({ total: 1, seconds: [2] })
    expect(await timesOf(tenant, { text: 'Polly' })).toEqual({ total: 1, seconds: [2] })
    expect(await timesOf(tenant, { text: 'tts-fail' })).toEqual({ total: 1, seconds: [2] })
    expect(await timesOf(tenant, { text: target_sid })).toEqual({ total: 1, seconds: [1] })
    expect(await timesOf(tenant, { text: '503', alert_type: 'tts-failure' })).toEqual({ total: 0, seconds: [] })
  })

  it('finds alerts by their complete message', async () => {
    const { acme, message } = await write()
    const filters = { message, alert_type: 'webhook-failure' }
    expect(await timesOf({ account_sid: acme }, filters)).toEqual({ total: 3, seconds: [1, 3, 5] })
    expect((await timesOf({ account_sid: acme }, { message: 'https' })).total).toBe(0)
  })

  it('groups alerts of one type with the same message', async () => {
    const { north, acme, message } = await write()
    const groups = async (tenant: Tenant, options: Partial<AlertListOptions> = {}) => {
      const groupPage = await store.history.alertGroups(tenant, { page: 1, count: 500, ...options })
      return { total: groupPage.total, rows: groupPage.rows.map((row) => [row.message, row.count, row.accounts]) }
    }
    expect(await groups({ service_provider_sid: north })).toEqual({
      total: 2,
      rows: [
        [message, 4, 2],
        ['speech', 1, 1],
      ],
    })
    expect(await groups({ account_sid: acme }, { page: 2, count: 1 })).toEqual({ total: 2, rows: [['speech', 1, 1]] })
    expect(await groups({ account_sid: acme }, { text: '503' })).toEqual({ total: 1, rows: [[message, 3, 1]] })
    const { rows } = await store.history.alertGroups({ account_sid: acme }, { page: 1, count: 1 })
    expect([rows[0]?.time, rows[0]?.first]).toEqual([1000, 5000].map((age) => new Date(now - age).toISOString()))
  })
})
