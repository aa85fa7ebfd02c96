import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, databaseEngines, createSeededDatabase, type SeededDatabase } from '../../test/databases'
import { withTransaction } from './transaction'

/** A promise that a test resolves with `open`. */
const createSignal = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

describe.each(databaseEngines)('withTransaction (%s)', (databaseEngine) => {
  let database: SeededDatabase
  beforeAll(async () => {
    database = await createSeededDatabase(databaseEngine)
    await database.db
      .insertInto('webhooks')
      .values(['one', 'two'].map((webhook_sid) => ({ webhook_sid, url: 'https://example.com' })))
      .execute()
  })
  afterAll(() => database.close())

  const changeUrl = (sid: string, url: string, tx = database.db) =>
    tx.updateTable('webhooks').set({ url }).where('webhook_sid', '=', sid).execute()
  const readUrls = async () =>
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
    const transaction = withTransaction(database.db, async (tx) => {
      runs += 1
      await changeUrl('one', 'https://changed.example.com', tx)
      throw new Error('not a deadlock')
    })
    await expect(transaction).rejects.toThrow('not a deadlock')
    expect(runs).toBe(1)
    expect(await readUrls()).toEqual(['https://example.com', 'https://example.com'])
  })

  it.runIf(databaseEngine === 'mysql')(
    'runs the victim of a deadlock again, with nothing of its first attempt left',
    async () => {
      const firstLocked = createSignal()
      const secondLocked = createSignal()
      let runs = 0
      const lockBoth = (
        from: string,
        to: string,
        url: string,
        ownSignal: typeof firstLocked,
        otherSignal: typeof firstLocked,
      ) => {
        let attempts = 0
        return withTransaction(database.db, async (tx) => {
          runs += 1
          attempts += 1
          await changeUrl(from, `${url}${attempts}`, tx)
          ownSignal.open()
          await otherSignal.opened
          await changeUrl(to, url, tx)
        })
      }
      await Promise.all([
        lockBoth('one', 'two', 'https://a.example.com', firstLocked, secondLocked),
        lockBoth('two', 'one', 'https://b.example.com', secondLocked, firstLocked),
      ])
      expect(runs).toBe(3)
      expect([
        ['https://a.example.com2', 'https://a.example.com'],
        ['https://b.example.com', 'https://b.example.com2'],
      ]).toContainEqual(await readUrls())
    },
  )

  it.runIf(databaseEngine === 'mysql')('gives up after a bounded number of attempts', async () => {
    const otherDatabase = await createEmptyDatabase('mysql')
    let runs = 0
    const deadlock = Object.assign(new Error('Deadlock found'), { errno: 1213, sqlState: '40001' })
    try {
      await expect(
        withTransaction(otherDatabase.db, async () => {
          runs += 1
          throw deadlock
        }),
      ).rejects.toBe(deadlock)
    } finally {
      await otherDatabase.close()
    }
    expect(runs).toBeGreaterThan(3)
    expect(runs).toBeLessThan(20)
  })
})
