import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, newTenants, openCallStore, type CallStore } from '../../../test/call-stores'
import type { CallFilter, CallHistory, Tenant } from '../../ports/call-history'
import { computePercentile, countValues } from './percentile'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe.each(callStores)('the figures of the screen Home (%s)', (kind) => {
  const now = Date.now()
  const sids = newTenants()
  const tenants: Tenant[] = [{ service_provider_sid: sids.north }, { account_sid: sids.acme }]
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
    await history.writePoints(
      'cdrs',
      Array.from({ length: 200 }, (_, index) => {
        const timeMs = now - index * 11 * minuteMs
        const isAnswered = index % 3 !== 0
        return callPoint(
          { service_provider_sid: sids.north, account_sid: index % 4 ? sids.acme : sids.bolt },
          {
            timeMs,
            tags: {
              direction: index % 5 ? 'outbound' : 'inbound',
              answered: String(isAnswered),
              trunk: index % 2 ? 'One' : 'Two',
            },
            fields: {
              from: `n${index}`,
              sip_status: isAnswered ? 200 : index % 2 ? 503 : 486,
              application_sid: `app-${index % 2}`,
              ...(isAnswered ? { answered_at: timeMs + 1000 + ((index * 37) % 200) * 10 } : {}),
            },
          },
        )
      }),
    )
  })
  afterAll(() => database?.close())

  const listAll = async (tenant: Tenant, filter: CallFilter) =>
    (await history.listCalls(tenant, { ...filter, page: 1, count: 500 })).rows

  it('count the outbound calls of each trunk and hour', async () => {
    const firstHour = Math.floor(now / hourMs) - 20
    for (const tenant of tenants) {
      const expected: Record<string, number> = {}
      for (const row of await listAll(tenant, { direction: 'outbound', from: firstHour * hourMs })) {
        const key = [row.trunk, Math.floor(Date.parse(row.attempted_at) / hourMs), row.answered, row.sip_status].join(
          ' ',
        )
        expected[key] = (expected[key] ?? 0) + 1
      }
      const counts = await history.countByTrunk(tenant, firstHour)
      expect(
        Object.fromEntries(
          counts.map(({ trunk, hour, answered, sip_status, callCount }) => [
            [trunk, hour, answered, sip_status].join(' '),
            callCount,
          ]),
        ),
      ).toEqual(expected)
    }
    expect(await history.countByTrunk({ service_provider_sid: sids.south }, firstHour)).toEqual([])
  })

  const filters: CallFilter[] = [
    {},
    { from: now - 300 * minuteMs, to: now - 60 * minuteMs },
    { trunk: 'One' },
    { direction: 'inbound', text: 'n1' },
    { application_sid: 'app-1' },
    { sip_status: 503 },
  ]

  it('find the percentile of the delays of the listed calls', async () => {
    for (const tenant of tenants)
      for (const filter of filters) {
        const delays = (await listAll(tenant, filter))
          .filter(({ answered }) => answered)
          .map(({ attempted_at, answered_at }) => Date.parse(answered_at!) - Date.parse(attempted_at))
          .toSorted((a, b) => a - b)
        for (const percentile of [1, 50, 95, 99])
          expect(
            await history.findDelayPercentile(tenant, filter, percentile),
            JSON.stringify({ tenant, filter, percentile }),
          ).toBe(delays[Math.ceil((delays.length * percentile) / 100) - 1] ?? null)
      }
    expect(await history.findDelayPercentile(tenants[0]!, { answered: false }, 95)).toBeNull()
    expect(await history.findDelayPercentile({ service_provider_sid: sids.south }, {}, 95)).toBeNull()
  })
})

describe('computePercentile', () => {
  it('returns the smallest value that the percentage does not exceed', () => {
    const values = countValues([30, 10, 20, 20, 40])
    expect([1, 20, 21, 60, 61, 95].map((percentile) => computePercentile(values, percentile))).toEqual([
      10, 10, 20, 20, 30, 40,
    ])
    expect(computePercentile([], 95)).toBeNull()
  })
})
