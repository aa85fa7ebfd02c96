import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, newTenants, type CallStore } from '../../../test/call-stores'
import type { CallHistory } from '../../ports/call-history'

const page = { page: 1, count: 25 }

describe.each(callStores)('the price of a call (%s)', (kind) => {
  const now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  it.each(['after', 'before'])('is added if it arrives in the same batch as the call, %s it', async (position) => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const [call, otherCall] = ['priced', 'other'].map((from, index) =>
      callPoint(owner, { timeMs: now - index, fields: { from, sip_status: 200 } }),
    )
    const pricePoint = { ...call!, fields: { cost: 0.25 } }
    const points = position === 'after' ? [call!, otherCall!, pricePoint] : [pricePoint, otherCall!, call!]
    await history.writePoints('cdrs', points)
    const { rows } = await history.listCalls({ account_sid: acme }, page)
    expect(rows.map(({ from, cost }) => [from, cost ?? null])).toEqual([
      ['priced', 0.25],
      ['other', null],
    ])
    await history.writePoints('cdrs', points)
    expect((await history.listCalls({ account_sid: acme }, page)).total).toBe(2)
  })

  it('is added if it arrives later, even without an identifier of the call', async () => {
    const { north, acme, bolt } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const calls = [0, 1].map((index) =>
      callPoint(owner, {
        timeMs: now,
        extraNs: 100_000 + 400_000 * index,
        fields: { from: `priced${index}`, sip_status: 200 },
      }),
    )
    await history.writePoints('cdrs', calls)
    const pricePoint = { ...calls[1]!, fields: { cost: 0.25 } }
    await history.writePoints('cdrs', [pricePoint])
    // another tenant's point of the same time is not merged
    await history.writePoints('cdrs', [{ ...pricePoint, tags: { ...pricePoint.tags, account_sid: bolt } }])
    const { total, rows } = await history.listCalls({ account_sid: acme }, page)
    expect(total).toBe(2)
    expect(rows.map(({ from, cost }) => [from, cost ?? null])).toEqual([
      ['priced1', 0.25],
      ['priced0', null],
    ])
  })
})
