import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import type { CallHistory, CallListOptions, Point } from '../../ports/call-history'

const minute = 60_000

/** A call whose writer does not report whether it was answered. */
const withoutAnswered = ({ tags: { answered: _, ...tags }, ...point }: Point): Point => ({ ...point, tags })

describe.each(callStores)('aggregates of calls (%s)', (kind) => {
  const now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  it('aggregates the listed calls by hour', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 240 }, (_, index) => {
      const answered = index % 3 !== 0
      const moment = now - index * 25 * minute - (index % 7)
      const point = callPoint(owner, {
        timeMs: moment,
        tags: {
          answered: String(answered),
          direction: index % 2 ? 'inbound' : 'outbound',
          trunk: index % 5 ? 'one' : 'two',
        },
        fields: {
          call_sid: `c${index}`,
          sip_callid: `c${index}@host`,
          from: `n${index}`,
          sip_status: answered ? 200 : index % 2 ? 486 : 404,
          duration: index,
          ...(answered && index % 4 ? { answered_at: moment + index } : {}),
        },
      })
      return answered || index % 4 ? point : withoutAnswered(point)
    })
    await history.write('cdrs', points)
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
      { from: now - 3000 * minute, to: now - 400 * minute },
      { from: now - 30 * minute, sip_status: 404 },
      { from: now, to: now - minute },
    ]
    for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }])
      for (const options of optionSets) {
        const { total, rows } = await history.calls(tenant, { ...options, page: 1, count: 500 })
        expect(rows.length).toBe(total)
        const expected: Record<string, number[]> = {}
        for (const { attempted_at, answered, sip_status, duration, answered_at } of rows) {
          const sum = (expected[`${attempted_at.slice(0, 13)} ${answered} ${sip_status}`] ??= [0, 0, 0, 0])
          const delay = answered_at === null ? 0 : Date.parse(answered_at) - Date.parse(attempted_at)
          const overrides = [1, duration ?? 0, Number(answered_at !== null), delay]
          for (const timestamp of sum.keys()) sum[timestamp]! += overrides[timestamp]!
        }
        const result: Record<string, number[]> = {}
        for (const { hour, answered, sip_status, number, seconds, timed, delay } of await history.sums(
          tenant,
          options,
        )) {
          const sum = (result[
            `${new Date(hour * 60 * minute).toISOString().slice(0, 13)} ${answered} ${sip_status}`
          ] ??= [0, 0, 0, 0])
          for (const [timestamp, overrides] of [number, seconds, timed, delay].entries()) sum[timestamp]! += overrides
        }
        expect(result).toEqual(expected)
      }
  })

  it('counts a call as not answered until its answer is reported', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    const point = withoutAnswered(
      callPoint(owner, { timeMs: now - 90 * minute, fields: { from: '4930', sip_status: 503 } }),
    )
    await history.write('cdrs', [point])
    const find = async (answered: boolean) =>
      Promise.all(
        [{}, { trunk: 'twilio' }, { text: '493' }].map(async (overrides) => {
          const options = { ...overrides, answered }
          const { total, rows } = await history.calls(owner, { ...options, page: 1, count: 25 })
          const sums = await history.sums(owner, options)
          return [total, ...rows.map((row) => row.answered), ...sums.map((sum) => sum.answered)]
        }),
      )
    expect(await find(false)).toEqual([
      [1, false, false],
      [1, false, false],
      [1, false, false],
    ])
    expect(await find(true)).toEqual([[0], [0], [0]])
  })

  it('includes calls with few fields', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    const received: Record<string, string | number>[] = [
      { call_sid: 'only a sid', sip_callid: '', from: '', to: '' },
      { from: '4930', sip_status: 486 },
      { from: '4931', sip_callid: 'x@host', sip_status: 0 },
      { from: '4932', to: '1617', duration: 3 },
    ]
    const points = received.map((fields, back) => {
      const point = callPoint(owner, { timeMs: now - back * minute, tags: { answered: 'false' } })
      return { ...point, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) }
    })
    await history.write('cdrs', points)
    const options = async (overrides: Partial<CallListOptions>) => {
      const { total, rows } = await history.calls(owner, { page: 1, count: 2, ...overrides })
      const sums = await history.sums(owner, overrides)
      expect(sums.reduce((sum, { number }) => sum + number, 0)).toBe(total)
      return [total, ...rows.map(({ from, call_sid }) => from ?? call_sid)]
    }
    expect(await options({ from: now - 2.5 * minute, to: now - 0.5 * minute })).toEqual([2, '4930', '4931'])
    expect(await options({ sip_status: 486 })).toEqual([1, '4930'])
    expect(await options({ sip_status: 0 })).toEqual([3, 'only a sid', '4931'])
    expect((await history.calls(owner, { page: 2, count: 2, sip_status: 0 })).rows.map(({ from }) => from)).toEqual([
      '4932',
    ])
    expect(await options({ sip_status: 0, text: '493' })).toEqual([2, '4931', '4932'])
  })

  it('updates the aggregates when a call is updated', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    const point = callPoint(owner, { fields: { call_sid: 'later', sip_status: 180 }, timeMs: now - 90 * minute })
    await history.write('cdrs', [point])
    await history.write('cdrs', [
      { ...point, fields: { ...point.fields, sip_status: 200, duration: 30, answered_at: now - 89 * minute } },
    ])
    const sums = (await history.sums(owner, {})).filter(({ number }) => number > 0)
    expect(sums).toEqual([
      {
        hour: expect.any(Number) as number,
        answered: true,
        sip_status: 200,
        number: 1,
        seconds: 30,
        timed: 1,
        delay: minute,
      },
    ])
    expect((await history.calls(owner, { page: 1, count: 25, sip_status: 180 })).total).toBe(0)
  })
})
