import { afterEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from '../../test/databases'
import { createLeases, LeaseHeldError } from './leases'
import { migrate } from './migrate'

let database: EmptyDatabase | undefined
afterEach(() => database?.close())

/** A promise that a test resolves. */
const createSignal = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}

describe.each(databaseEngines)('work with a lease (%s)', (databaseEngine) => {
  const openDatabase = async () => {
    database = await createEmptyDatabase(databaseEngine)
    await migrate(database.db)
    return database
  }

  it('runs one at a time, and starts when the previous work has ended', async () => {
    const withLease = createLeases(await openDatabase())
    let running = 0
    let maxRunning = 0
    const work = async () => {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
    }
    await Promise.all(Array.from({ length: 5 }, () => withLease('a', 10_000, work)))
    expect(maxRunning).toBe(1)
  })

  it('is refused while the lease is held, unless its name is another one', async () => {
    const withLease = createLeases(await openDatabase())
    const { promise, resolve } = createSignal()
    const first = withLease('a', 0, () => promise)
    await expect.poll(() => database!.db.selectFrom('trunkline_leases').select('name').execute()).toHaveLength(1)
    await expect(withLease('a', 0, () => Promise.resolve())).rejects.toBeInstanceOf(LeaseHeldError)
    expect(await withLease('b', 0, () => Promise.resolve('done'))).toBe('done')
    resolve()
    await first
    expect(await withLease('a', 0, () => Promise.resolve('done'))).toBe('done')
  })

  it('releases the lease if it fails', async () => {
    const withLease = createLeases(await openDatabase())
    await expect(withLease('a', 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await database!.db.selectFrom('trunkline_leases').selectAll().execute()).toEqual([])
  })

  it('runs although a crashed server holds the lease, once that has expired', async () => {
    const { db, engine } = await openDatabase()
    const until = Date.now() + 15_000
    await db.insertInto('trunkline_leases').values({ name: 'a', holder: 'crashed', until }).execute()
    const run = (clock: () => number) => createLeases({ db, engine }, clock)('a', 0, () => Promise.resolve('done'))
    // Only one process uses a SQLite file, so its lease is free at once.
    if (engine === 'mysql') await expect(run(Date.now)).rejects.toBeInstanceOf(LeaseHeldError)
    expect(await run(() => until + 1)).toBe('done')
  })
})
