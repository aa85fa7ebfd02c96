import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import type { CallListOptions, Point, Tenant } from '../../ports/call-history'
import { sqlCallHistory } from './sql/store'

describe.each(callStores)('searching calls (%s)', (kind) => {
  const now = Date.now()
  let store: CallStore
  beforeAll(async () => {
    store = await openCallStore(kind, () => now)
  })
  afterAll(() => store.database?.close())

  const numbersOf = async (tenant: Tenant, options: Partial<CallListOptions>, history = store.history) => {
    const { total, rows } = await history.calls(tenant, { page: 1, count: 500, ...options })
    return { total, numbers: rows.map(({ from }) => from) }
  }
  const listed = (...numbers: string[]) => ({ total: numbers.length, numbers })

  /** Three calls of one account, the newest first. */
  const write = async () => {
    const { north, acme, bolt } = tenants()
    const tenant = { service_provider_sid: north, account_sid: acme }
    const callId = `${randomUUID()}@atlas`
    const application_sid = randomUUID()
    const fields: Point['fields'][] = [
      { from: '111', to: '9', application_sid, termination_reason: 'Rejected by carrier' },
      { from: '222', to: '9', sip_callid: callId, termination_reason: 'caller hungup' },
      { from: '333', to: '9', application_sid },
    ]
    await store.history.write(
      'cdrs',
      fields.map((item, index) =>
        callPoint(tenant, {
          timeMs: now - index,
          fields: item,
          tags: { trunk: index === 2 ? 'Bluewater SIP' : 'Kestrel' },
        }),
      ),
    )
    await store.history.write('cdrs', [
      callPoint({ service_provider_sid: north, account_sid: bolt }, { timeMs: now, fields: { from: '444' } }),
    ])
    return { acme, north, callId, application_sid }
  }

  it('finds a call by its complete Call-ID', async () => {
    const { acme, callId } = await write()
    expect(await numbersOf({ account_sid: acme }, { text: callId })).toEqual(listed('222'))
    expect(await numbersOf({ account_sid: acme }, { text: ` ${callId}` })).toEqual(listed('222'))
    expect(await numbersOf({ account_sid: acme }, { text: 'nobody@atlas' })).toEqual(listed())
  })

  it("finds calls by part of their trunk's name", async () => {
    const { acme, north } = await write()
    expect(await numbersOf({ account_sid: acme }, { text: 'bluewater' })).toEqual(listed('333'))
    expect(await numbersOf({ service_provider_sid: north }, { text: 'KESTREL' })).toEqual(listed('111', '222'))
    expect(await numbersOf({ account_sid: acme }, { text: 'kestrel', answered: false })).toEqual(listed())
  })

  it('finds calls by part of their termination reason', async () => {
    const { acme } = await write()
    expect(await numbersOf({ account_sid: acme }, { text: 'REJECTED by' })).toEqual(listed('111'))
    expect(await numbersOf({ account_sid: acme }, { text: 'hungup' })).toEqual(listed('222'))
  })

  it('lists the calls of one application, with and without a text', async () => {
    const { acme, application_sid } = await write()
    expect(await numbersOf({ account_sid: acme }, { application_sid })).toEqual(listed('111', '333'))
    expect(await numbersOf({ account_sid: acme }, { application_sid, text: '33' })).toEqual(listed('333'))
    expect(await numbersOf({ account_sid: acme }, { application_sid, trunk: 'Kestrel' })).toEqual(listed('111'))
    const sums = await store.history.sums({ account_sid: acme }, { application_sid })
    expect(sums.reduce((sum, { number }) => sum + number, 0)).toBe(2)
  })

  it('lists the oldest call first', async () => {
    const { acme, application_sid } = await write()
    const oldestFirst = true
    const page = (options: Partial<CallListOptions>) => numbersOf({ account_sid: acme }, { oldestFirst, ...options })
    expect(await page({})).toEqual(listed('333', '222', '111'))
    expect(await page({ page: 2, count: 2 })).toEqual({ total: 3, numbers: ['111'] })
    expect(await page({ page: 3, count: 2 })).toEqual({ total: 3, numbers: [] })
    expect(await page({ text: 'kestrel' })).toEqual(listed('222', '111'))
    expect(await page({ application_sid, page: 2, count: 1 })).toEqual({ total: 2, numbers: ['111'] })
  })

  it.skipIf(kind === 'influx')('finds the same calls before they are indexed in blocks', async () => {
    const { acme, application_sid } = await write()
    await sql`delete from trunkline_packed_calls`.execute(store.database!.db)
    await sql`delete from trunkline_progress`.execute(store.database!.db)
    const history = sqlCallHistory({ database: store.database! }, { calls: 0, alerts: 0 }, () => now)
    const findNumbers = (options: Partial<CallListOptions>) => numbersOf({ account_sid: acme }, options, history)
    expect(await findNumbers({ text: 'bluewater' })).toEqual(listed('333'))
    expect(await findNumbers({ text: 'rejected' })).toEqual(listed('111'))
    expect(await findNumbers({ application_sid })).toEqual(listed('111', '333'))
    expect(await findNumbers({ text: 'kestrel', oldestFirst: true })).toEqual(listed('222', '111'))
    await history.backfill(new AbortController().signal)
    expect(await findNumbers({ text: 'bluewater' })).toEqual(listed('333'))
    expect(await findNumbers({ text: 'rejected', application_sid })).toEqual(listed('111'))
  })
})
