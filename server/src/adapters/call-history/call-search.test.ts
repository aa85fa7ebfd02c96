import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callPoint,
  callStores,
  isDatabaseEngine,
  newTenants,
  openCallStore,
  type CallStore,
} from '../../../test/call-stores'
import type { CallListOptions, Point, Tenant } from '../../ports/call-history'
import { createSqlCallHistory } from './sql/store'

describe.each(callStores)('searching calls (%s)', (kind) => {
  const now = Date.now()
  let store: CallStore
  beforeAll(async () => {
    store = await openCallStore(kind, () => now)
  })
  afterAll(() => store.database?.close())

  const findNumbers = async (tenant: Tenant, options: Partial<CallListOptions>, history = store.history) => {
    const { total, rows } = await history.listCalls(tenant, { page: 1, count: 500, ...options })
    return { total, numbers: rows.map(({ from }) => from) }
  }
  const pageOf = (...numbers: string[]) => ({ total: numbers.length, numbers })

  /** Writes three calls of one account, the newest first, and one of another account. */
  const writeCalls = async () => {
    const { north, acme, bolt } = newTenants()
    const tenant = { service_provider_sid: north, account_sid: acme }
    const callId = `${randomUUID()}@atlas`
    const application_sid = randomUUID()
    const fieldSets: Point['fields'][] = [
      { from: '111', to: '9', application_sid, termination_reason: 'Rejected by carrier' },
      { from: '222', to: '9', sip_callid: callId, termination_reason: 'caller hungup' },
      { from: '333', to: '9', application_sid },
    ]
    await store.history.writePoints(
      'cdrs',
      fieldSets.map((fields, index) =>
        callPoint(tenant, {
          timeMs: now - index,
          fields,
          tags: { trunk: index === 2 ? 'Bluewater SIP' : 'Kestrel' },
        }),
      ),
    )
    await store.history.writePoints('cdrs', [
      callPoint({ service_provider_sid: north, account_sid: bolt }, { timeMs: now, fields: { from: '444' } }),
    ])
    return { acme, north, callId, application_sid }
  }

  it('finds a call by its complete Call-ID', async () => {
    const { acme, callId } = await writeCalls()
    expect(await findNumbers({ account_sid: acme }, { text: callId })).toEqual(pageOf('222'))
    expect(await findNumbers({ account_sid: acme }, { text: ` ${callId}` })).toEqual(pageOf('222'))
    expect(await findNumbers({ account_sid: acme }, { text: 'nobody@atlas' })).toEqual(pageOf())
  })

  it("finds calls by part of their trunk's name", async () => {
    const { acme, north } = await writeCalls()
    expect(await findNumbers({ account_sid: acme }, { text: 'bluewater' })).toEqual(pageOf('333'))
    expect(await findNumbers({ service_provider_sid: north }, { text: 'KESTREL' })).toEqual(pageOf('111', '222'))
    expect(await findNumbers({ account_sid: acme }, { text: 'kestrel', answered: false })).toEqual(pageOf())
  })

  it('finds calls by part of their termination reason', async () => {
    const { acme } = await writeCalls()
    expect(await findNumbers({ account_sid: acme }, { text: 'REJECTED by' })).toEqual(pageOf('111'))
    expect(await findNumbers({ account_sid: acme }, { text: 'hungup' })).toEqual(pageOf('222'))
  })

  it('lists the calls of one application, with and without a text', async () => {
    const { acme, application_sid } = await writeCalls()
    expect(await findNumbers({ account_sid: acme }, { application_sid })).toEqual(pageOf('111', '333'))
    expect(await findNumbers({ account_sid: acme }, { application_sid, text: '33' })).toEqual(pageOf('333'))
    expect(await findNumbers({ account_sid: acme }, { application_sid, trunk: 'Kestrel' })).toEqual(pageOf('111'))
    const sums = await store.history.sumCalls({ account_sid: acme }, { application_sid })
    expect(sums.reduce((sum, { callCount }) => sum + callCount, 0)).toBe(2)
  })

  it('lists the oldest call first', async () => {
    const { acme, application_sid } = await writeCalls()
    const findOldestFirst = (options: Partial<CallListOptions>) =>
      findNumbers({ account_sid: acme }, { oldestFirst: true, ...options })
    expect(await findOldestFirst({})).toEqual(pageOf('333', '222', '111'))
    expect(await findOldestFirst({ page: 2, count: 2 })).toEqual({ total: 3, numbers: ['111'] })
    expect(await findOldestFirst({ page: 3, count: 2 })).toEqual({ total: 3, numbers: [] })
    expect(await findOldestFirst({ text: 'kestrel' })).toEqual(pageOf('222', '111'))
    expect(await findOldestFirst({ application_sid, page: 2, count: 1 })).toEqual({ total: 2, numbers: ['111'] })
  })

  it.runIf(isDatabaseEngine(kind))('finds the same calls before and after they are indexed in blocks', async () => {
    const { acme, application_sid } = await writeCalls()
    await sql`delete from trunkline_packed_calls`.execute(store.database!.db)
    await sql`delete from trunkline_progress`.execute(store.database!.db)
    const history = createSqlCallHistory({ database: store.database! }, { calls: 0, alerts: 0 }, () => now)
    const findInNewStore = (options: Partial<CallListOptions>) => findNumbers({ account_sid: acme }, options, history)
    expect(await findInNewStore({ text: 'bluewater' })).toEqual(pageOf('333'))
    expect(await findInNewStore({ text: 'rejected' })).toEqual(pageOf('111'))
    expect(await findInNewStore({ application_sid })).toEqual(pageOf('111', '333'))
    expect(await findInNewStore({ text: 'kestrel', oldestFirst: true })).toEqual(pageOf('222', '111'))
    await history.backfill(new AbortController().signal)
    expect(await findInNewStore({ text: 'bluewater' })).toEqual(pageOf('333'))
    expect(await findInNewStore({ text: 'rejected', application_sid })).toEqual(pageOf('111'))
  })
})
