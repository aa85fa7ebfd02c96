import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, tenants } from '../../../../test/call-stores'
import type { EmptyDatabase } from '../../../../test/engines'
import type { CallHistory } from '../../../ports/call-history'

const page = { page: 1, count: 10 }

/** SQLite only: MySQL searches in another process. */
describe('concurrent text searches', () => {
  const now = Date.now()
  const tenantSids = tenants()
  const tenant = { service_provider_sid: tenantSids.north }
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const handle = await openCallStore('sqlite', () => now)
    history = handle.history
    database = handle.database!
    // one call per hour, so that there is one block per call
    for (let from = 0; from < 3000; from += 1000)
      await history.write(
        'cdrs',
        Array.from({ length: 1000 }, (_, index) => callPoint(tenant, { timeMs: now - (from + index) * 3_600_000 })),
      )
  }, 120_000)
  afterAll(() => database.close())

  it('yields during a search without matches', async () => {
    let turns = 0
    let running = true
    const count = () => {
      turns += 1
      if (running) setImmediate(count)
    }
    setImmediate(count)
    const { total } = await history.calls(tenant, { ...page, text: 'nowhere' })
    running = false
    expect(total).toBe(0)
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  it('serves a request before several searches have finished', async () => {
    const finished: string[] = []
    const searches = [1, 2, 3, 4].map((item) =>
      history.calls(tenant, { ...page, text: `nowhere${item}` }).then(() => finished.push('search')),
    )
    await new Promise((turn) => setImmediate(turn))
    const list = history.calls(tenant, page).then(() => finished.push('list'))
    await Promise.all([...searches, list])
    expect(finished).toEqual(['list', 'search', 'search', 'search', 'search'])
  })
})
