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

  it('are counted, whatever was told of them first', async () => {
    const { north, acme } = tenants()
    const own = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 2600 }, (_, at) =>
      callPoint(own, {
        at: now - at * 5000,
        tags: { trunk: 'Odd', answered: String(at % 2 > 0) },
        fields: { to: `${at}` },
      }),
    )
    await history.write('cdrs', points)
    // a tag is a part of what makes a point the same one; a field is not
    const { tags, ...moved } = callPoint(own, { at: now - 1, fields: { call_sid: 'moved', from: 'm' } })
    const { trunk: _, ...others } = tags
    const tell = (trunk: string) =>
      history.write('cdrs', [{ ...moved, tags: others, fields: { ...moved.fields, trunk } }])
    await tell('Odd')
    await tell('Even')
    for (const of of [own, { account_sid: acme }]) {
      const odd = (look: Partial<CallListOptions>) => history.calls(of, { page: 1, count: 500, trunk: 'odd', ...look })
      expect((await odd({})).total).toBe(2600)
      expect((await history.calls(of, { page: 1, count: 500, trunk: 'Even' })).total).toBe(1)
      const { total, rows } = await odd({ answered: true, page: 120, count: 10 })
      expect(total).toBe(1300)
      expect(rows.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, (_, at) => String((1190 + at) * 2 + 1)))
      expect((await odd({ page: 260, count: 10 })).rows.map(({ to }) => to)).toEqual(
        Array.from({ length: 10 }, (_, at) => String(2590 + at)),
      )
      const sums = await history.sums(of, { trunk: 'Odd' })
      expect(sums.reduce((sum, { number }) => sum + number, 0)).toBe(2600)
    }
    // nobody has them by saying that they are called as the counts are
    expect((await history.calls({ account_sid: trunkOwnerSid(acme, 'Odd') }, { page: 1, count: 1 })).total).toBe(0)
  }, 60_000)
})
