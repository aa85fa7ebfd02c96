import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase, engines, fresh, type FreshDatabase } from '../../test/engines'
import { withTransaction } from './transaction'

const gate = () => {
  let open = () => {}
  const handle = new Promise<void>((resolve) => (open = resolve))
  return { open, opened: handle }
}

describe.each(engines)('withTransaction (%s)', (engine) => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await fresh(engine)
    await database.db
      .insertInto('webhooks')
      .values(['one', 'two'].map((webhook_sid) => ({ webhook_sid, url: 'https://example.com' })))
      .execute()
  })
  afterAll(() => database.close())

  const rename = (sid: string, url: string, tx = database.db) =>
    tx.updateTable('webhooks').set({ url }).where('webhook_sid', '=', sid).execute()
  const urls = async () =>
    (
      await database.db
        .selectFrom('webhooks')
        .select('url')
        .where('webhook_sid', 'in', ['one', 'two'])
        .orderBy('webhook_sid')
        .execute()
    ).map(({ url }) => url)

  it('does not retry after other errors', async () => {
    let runs = 0
    const work = withTransaction(database.db, async (tx) => {
      runs += 1
      await rename('one', 'https://changed.example.com', tx)
      throw new Error('not a deadlock')
    })
    await expect(work).rejects.toThrow('not a deadlock')
    expect(runs).toBe(1)
    expect(await urls()).toEqual(['https://example.com', 'https://example.com'])
  })

  it.runIf(engine === 'mysql')(
    'runs the victim of a deadlock again, with nothing of its first attempt left',
    async () => {
      const first = gate()
      const second = gate()
      let runs = 0
      const lockBoth = (from: string, to: string, url: string, ownRecord: typeof first, other: typeof first) => {
        let attempts = 0
        return withTransaction(database.db, async (tx) => {
          runs += 1
          attempts += 1
          await rename(from, `${url}${attempts}`, tx)
          ownRecord.open()
          await other.opened
          await rename(to, url, tx)
        })
      }
      await Promise.all([
        lockBoth('one', 'two', 'https://a.example.com', first, second),
        lockBoth('two', 'one', 'https://b.example.com', second, first),
      ])
      expect(runs).toBe(3)
      expect([
        ['https://a.example.com2', 'https://a.example.com'],
        ['https://b.example.com', 'https://b.example.com2'],
      ]).toContainEqual(await urls())
    },
  )

  it.runIf(engine === 'mysql')('gives up after a bounded number of attempts', async () => {
    const other = await emptyDatabase('mysql')
    let runs = 0
    const deadlock = Object.assign(new Error('Deadlock found'), { errno: 1213, sqlState: '40001' })
    try {
      await expect(
        withTransaction(other.db, async () => {
          runs += 1
          throw deadlock
        }),
      ).rejects.toBe(deadlock)
    } finally {
      await other.close()
    }
    expect(runs).toBeGreaterThan(3)
    expect(runs).toBeLessThan(20)
  })
})
