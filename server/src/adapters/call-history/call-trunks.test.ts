import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, newTenants } from '../../../test/call-stores'
import { databaseEngines, type EmptyDatabase } from '../../../test/databases'
import type { CallHistory, CallListOptions } from '../../ports/call-history'
import { toTrunkOwnerSid } from './sql/time-ids'

describe.each(databaseEngines)('the calls of one trunk (%s)', (databaseEngine) => {
  const now = Date.now()
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const store = await openCallStore(databaseEngine, () => now)
    history = store.history
    database = store.database!
  })
  afterAll(() => database?.close())

  it('are counted by their latest trunk', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 2600 }, (_, index) =>
      callPoint(owner, {
        timeMs: now - index * 5000,
        tags: { trunk: 'Main', answered: String(index % 2 > 0) },
        fields: { to: `${index}` },
      }),
    )
    await history.writePoints('cdrs', points)
    // Points with other tags are other calls. With the trunk as a field, the second write changes the trunk of the same call.
    const { tags, ...movedCall } = callPoint(owner, { timeMs: now - 1, fields: { call_sid: 'moved', from: 'm' } })
    const { trunk: _, ...otherTags } = tags
    const writeTrunk = (trunk: string) =>
      history.writePoints('cdrs', [{ ...movedCall, tags: otherTags, fields: { ...movedCall.fields, trunk } }])
    await writeTrunk('Main')
    await writeTrunk('Backup')
    for (const tenant of [owner, { account_sid: acme }]) {
      // The filter ignores case.
      const listMainTrunkCalls = (options: Partial<CallListOptions>) =>
        history.listCalls(tenant, { page: 1, count: 500, trunk: 'main', ...options })
      expect((await listMainTrunkCalls({})).total).toBe(2600)
      expect((await history.listCalls(tenant, { page: 1, count: 500, trunk: 'Backup' })).total).toBe(1)
      const { total, rows } = await listMainTrunkCalls({ answered: true, page: 120, count: 10 })
      expect(total).toBe(1300)
      expect(rows.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, (_, index) => String((1190 + index) * 2 + 1)))
      expect((await listMainTrunkCalls({ page: 260, count: 10 })).rows.map(({ to }) => to)).toEqual(
        Array.from({ length: 10 }, (_, index) => String(2590 + index)),
      )
      const sums = await history.sumCalls(tenant, { trunk: 'Main' })
      expect(sums.reduce((sum, { callCount }) => sum + callCount, 0)).toBe(2600)
    }
    // Calls of a trunk are counted under a computed owner SID. It must not give access to the calls.
    expect((await history.listCalls({ account_sid: toTrunkOwnerSid(acme, 'Main') }, { page: 1, count: 1 })).total).toBe(
      0,
    )
  }, 60_000)
})
