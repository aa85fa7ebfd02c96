import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, newTenants } from '../../../../test/call-stores'
import type { EmptyDatabase } from '../../../../test/databases'
import { countTurnsDuring } from '../../../../test/event-loop-turns'
import type { CallHistory } from '../../../ports/call-history'

const page = { page: 1, count: 10 }

/** SQLite only: MySQL searches in another process. */
describe('concurrent text searches', () => {
  const now = Date.now()
  const tenantSids = newTenants()
  const tenant = { service_provider_sid: tenantSids.north }
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const store = await openCallStore('sqlite', () => now)
    history = store.history
    database = store.database!
    // With one call per hour, there is one block per call.
    for (let firstHoursAgo = 0; firstHoursAgo < 3000; firstHoursAgo += 1000)
      await history.writePoints(
        'cdrs',
        Array.from({ length: 1000 }, (_, index) =>
          callPoint(tenant, { timeMs: now - (firstHoursAgo + index) * 3_600_000 }),
        ),
      )
  }, 120_000)
  afterAll(() => database.close())

  it('lets other events run during a search without matches', async () => {
    const search = history.listCalls(tenant, { ...page, text: 'nowhere' })
    expect(await countTurnsDuring(search)).toBeGreaterThanOrEqual(4)
    expect((await search).total).toBe(0)
  })

  it('serves a request before several searches have finished', async () => {
    const finishedRequests: string[] = []
    const searches = [1, 2, 3, 4].map((number) =>
      history.listCalls(tenant, { ...page, text: `nowhere${number}` }).then(() => finishedRequests.push('search')),
    )
    await new Promise((resolve) => setImmediate(resolve))
    const list = history.listCalls(tenant, page).then(() => finishedRequests.push('list'))
    await Promise.all([...searches, list])
    expect(finishedRequests).toEqual(['list', 'search', 'search', 'search', 'search'])
  })
})
