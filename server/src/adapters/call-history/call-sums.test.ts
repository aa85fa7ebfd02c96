import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, newTenants, type CallStore } from '../../../test/call-stores'
import type { CallHistory, CallListOptions, Point } from '../../ports/call-history'

const minuteMs = 60_000

/** Removes the information whether a call was answered, which some voice servers do not send. */
const removeAnsweredTag = ({ tags: { answered: _, ...tags }, ...point }: Point): Point => ({ ...point, tags })

describe.each(callStores)('aggregates of calls (%s)', (storeName) => {
  const now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(storeName, () => now))
  })
  afterAll(() => database?.close())

  it('aggregates the listed calls by hour', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 240 }, (_, index) => {
      const isAnswered = index % 3 !== 0
      const attemptedAt = now - index * 25 * minuteMs - (index % 7)
      const point = callPoint(owner, {
        timeMs: attemptedAt,
        tags: {
          answered: String(isAnswered),
          direction: index % 2 ? 'inbound' : 'outbound',
          trunk: index % 5 ? 'one' : 'two',
        },
        fields: {
          call_sid: `c${index}`,
          sip_callid: `c${index}@host`,
          from: `n${index}`,
          sip_status: isAnswered ? 200 : index % 2 ? 486 : 404,
          duration: index,
          ...(isAnswered && index % 4 ? { answered_at: attemptedAt + index } : {}),
        },
      })
      return isAnswered || index % 4 ? point : removeAnsweredTag(point)
    })
    await history.writePoints('cdrs', points)
    const optionSets: Partial<CallListOptions>[] = [
      {},
      { direction: 'inbound' },
      { answered: true },
      { answered: false },
      { answered: false, trunk: 'two' },
      { answered: false, text: 'n1' },
      { answered: false, sip_status: 486 },
      { sip_status: 200, trunk: 'two' },
      { text: 'N1', answered: true },
      { from: now - 3000 * minuteMs, to: now - 400 * minuteMs },
      { from: now - 30 * minuteMs, sip_status: 404 },
      { from: now, to: now - minuteMs },
    ]
    for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }])
      for (const options of optionSets) {
        const { total, rows } = await history.listCalls(tenant, { ...options, page: 1, count: 500 })
        expect(rows.length).toBe(total)
        const expected: Record<string, number[]> = {}
        for (const { attempted_at, answered, sip_status, duration, answered_at } of rows) {
          const sum = (expected[`${attempted_at.slice(0, 13)} ${answered} ${sip_status}`] ??= [0, 0, 0, 0])
          const delayMs = answered_at === null ? 0 : Date.parse(answered_at) - Date.parse(attempted_at)
          const measures = [1, duration ?? 0, Number(answered_at !== null), delayMs]
          for (const position of sum.keys()) sum[position]! += measures[position]!
        }
        const result: Record<string, number[]> = {}
        for (const callSum of await history.sumCalls(tenant, options)) {
          const { answered, sip_status, callCount, totalSeconds, timedCallCount, totalDelayMs } = callSum
          const hour = new Date(callSum.hour * 60 * minuteMs).toISOString().slice(0, 13)
          const sum = (result[`${hour} ${answered} ${sip_status}`] ??= [0, 0, 0, 0])
          const measures = [callCount, totalSeconds, timedCallCount, totalDelayMs]
          for (const position of sum.keys()) sum[position]! += measures[position]!
        }
        expect(result).toEqual(expected)
      }
  })

  it('counts a call as not answered until its answer is reported', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const point = removeAnsweredTag(
      callPoint(owner, { timeMs: now - 90 * minuteMs, fields: { from: '4930', sip_status: 503 } }),
    )
    await history.writePoints('cdrs', [point])
    const readTotals = async (answered: boolean) =>
      Promise.all(
        [{}, { trunk: 'twilio' }, { text: '493' }].map(async (filter) => {
          const options = { ...filter, answered }
          const { total, rows } = await history.listCalls(owner, { ...options, page: 1, count: 25 })
          const sums = await history.sumCalls(owner, options)
          return [total, ...rows.map((row) => row.answered), ...sums.map((sum) => sum.answered)]
        }),
      )
    expect(await readTotals(false)).toEqual([
      [1, false, false],
      [1, false, false],
      [1, false, false],
    ])
    expect(await readTotals(true)).toEqual([[0], [0], [0]])
  })

  it('includes calls with few fields', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const fieldSets: Record<string, string | number>[] = [
      { call_sid: 'only a sid' },
      { from: '4930', sip_status: 486 },
      { from: '4931', sip_callid: 'x@host', sip_status: 0 },
      { from: '4932', to: '1617', duration: 3 },
    ]
    const points = fieldSets.map((fields, minutesAgo) => ({
      ...callPoint(owner, { timeMs: now - minutesAgo * minuteMs, tags: { answered: 'false' } }),
      fields,
    }))
    await history.writePoints('cdrs', points)
    const readTotalAndNames = async (options: Partial<CallListOptions>) => {
      const { total, rows } = await history.listCalls(owner, { page: 1, count: 2, ...options })
      const sums = await history.sumCalls(owner, options)
      expect(sums.reduce((sum, { callCount }) => sum + callCount, 0)).toBe(total)
      return [total, ...rows.map(({ from, call_sid }) => from ?? call_sid)]
    }
    expect(await readTotalAndNames({ from: now - 2.5 * minuteMs, to: now - 0.5 * minuteMs })).toEqual([
      2,
      '4930',
      '4931',
    ])
    expect(await readTotalAndNames({ sip_status: 486 })).toEqual([1, '4930'])
    expect(await readTotalAndNames({ sip_status: 0 })).toEqual([3, 'only a sid', '4931'])
    expect((await history.listCalls(owner, { page: 2, count: 2, sip_status: 0 })).rows.map(({ from }) => from)).toEqual(
      ['4932'],
    )
    expect(await readTotalAndNames({ sip_status: 0, text: '493' })).toEqual([2, '4931', '4932'])
  })

  it('updates the aggregates when a call is updated', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const point = callPoint(owner, { fields: { call_sid: 'later', sip_status: 180 }, timeMs: now - 90 * minuteMs })
    await history.writePoints('cdrs', [point])
    await history.writePoints('cdrs', [
      { ...point, fields: { ...point.fields, sip_status: 200, duration: 30, answered_at: now - 89 * minuteMs } },
    ])
    const sums = (await history.sumCalls(owner, {})).filter(({ callCount }) => callCount > 0)
    expect(sums).toEqual([
      {
        hour: expect.any(Number) as number,
        answered: true,
        sip_status: 200,
        callCount: 1,
        totalSeconds: 30,
        timedCallCount: 1,
        totalDelayMs: minuteMs,
      },
    ])
    expect((await history.listCalls(owner, { page: 1, count: 25, sip_status: 180 })).total).toBe(0)
  })
})
