import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, tenants } from '../../../../test/call-stores'
import type { EmptyDatabase } from '../../../../test/engines'
import type { CallHistory } from '../../../ports/call-history'

const page = { page: 1, count: 10 }

/** SQLite only: another engine searches in a process of its own. */
describe('text searches beside other work', () => {
  const now = Date.now()
  const tenantSids = tenants()
  const of = { service_provider_sid: tenantSids.north }
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const opened = await openCallStore('sqlite', () => now)
    history = opened.history
    database = opened.database!
    // one hour each, so that there are as many packs
    for (let from = 0; from < 3000; from += 1000)
      await history.write(
        'cdrs',
        Array.from({ length: 1000 }, (_, index) => callPoint(of, { at: now - (from + index) * 3_600_000 })),
      )
  }, 120_000)
  afterAll(() => database.close())

  it('gives way while it searches for a text that stands nowhere', async () => {
    let turns = 0
    let running = true
    const count = () => {
      turns += 1
      if (running) setImmediate(count)
    }
    setImmediate(count)
    const { total } = await history.calls(of, { ...page, text: 'nowhere' })
    running = false
    expect(total).toBe(0)
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  it('lets a request come before the end of several searches', async () => {
    const finished: string[] = []
    const searches = [1, 2, 3, 4].map((each) =>
      history.calls(of, { ...page, text: `nowhere${each}` }).then(() => finished.push('search')),
    )
    await new Promise((turn) => setImmediate(turn))
    const list = history.calls(of, page).then(() => finished.push('list'))
    await Promise.all([...searches, list])
    expect(finished).toEqual(['list', 'search', 'search', 'search', 'search'])
  })
})
