import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, tenants } from '../../../test/call-stores'
import { engines, type EmptyDatabase } from '../../../test/engines'
import type { CallHistory, CallListOptions } from '../../ports/call-history'
import { trunkOwnerSid } from './sql/time-ids'

describe.each(engines)('the calls of one trunk (%s)', (engine) => {
  const now = Date.now()
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const store = await openCallStore(engine, () => now)
    history = store.history
    database = store.database!
  })
  afterAll(() => database?.close())

  it('are counted by their latest trunk', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 2600 }, (_, index) =>
      callPoint(owner, {
        timeMs: now - index * 5000,
        tags: { trunk: 'Odd', answered: String(index % 2 > 0) },
        fields: { to: `${index}` },
      }),
    )
    await history.write('cdrs', points)
    // tags identify a point, fields do not
    const { tags, ...moved } = callPoint(owner, { timeMs: now - 1, fields: { call_sid: 'moved', from: 'm' } })
    const { trunk: _, ...others } = tags
    const tell = (trunk: string) =>
      history.write('cdrs', [{ ...moved, tags: others, fields: { ...moved.fields, trunk } }])
    await tell('Odd')
    await tell('Even')
    for (const tenant of [owner, { account_sid: acme }]) {
      const odd = (options: Partial<CallListOptions>) =>
        history.calls(tenant, { page: 1, count: 500, trunk: 'odd', ...options })
      expect((await odd({})).total).toBe(2600)
      expect((await history.calls(tenant, { page: 1, count: 500, trunk: 'Even' })).total).toBe(1)
      const { total, rows } = await odd({ answered: true, page: 120, count: 10 })
      expect(total).toBe(1300)
      expect(rows.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, (_, index) => String((1190 + index) * 2 + 1)))
      expect((await odd({ page: 260, count: 10 })).rows.map(({ to }) => to)).toEqual(
        Array.from({ length: 10 }, (_, index) => String(2590 + index)),
      )
      const sums = await history.sums(tenant, { trunk: 'Odd' })
      expect(sums.reduce((sum, { number }) => sum + number, 0)).toBe(2600)
    }
    // an owner named like a counter does not get its counts
    expect((await history.calls({ account_sid: trunkOwnerSid(acme, 'Odd') }, { page: 1, count: 1 })).total).toBe(0)
  }, 60_000)
})
