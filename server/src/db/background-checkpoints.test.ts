import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runInSlices } from '../adapters/sql/time-slices'
import { openDatabase, type Database } from './database'

const mebibyte = 1024 * 1024

describe('checkpoints of a SQLite file during background work', () => {
  let folder: string
  let file: string
  let database: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trunkline-checkpoints-'))
    file = join(folder, 'data.sqlite')
    database = openDatabase(file)
    await sql`create table blobs (id integer primary key, bytes blob)`.execute(database.db)
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const writeBlob = (bytes: number) => sql`insert into blobs (bytes) values (randomblob(${bytes}))`.execute(database.db)
  const readFileSize = () => statSync(file).size

  it('do not happen in the thread that commits', async () => {
    await database.checkpointWal!()
    const bytesBefore = readFileSize()
    // SQLite's default limit is 4 MiB.
    for (let index = 0; index < 8; index += 1) await writeBlob(mebibyte)
    expect(readFileSize()).toBe(bytesBefore)
    await database.checkpointWal!()
    expect(readFileSize()).toBeGreaterThan(8 * mebibyte)
  })

  it('happen after each slice of background work', async () => {
    let batches = 0
    const writeBatch = async () => {
      await writeBlob(mebibyte)
      batches += 1
      return { hasMore: batches < 40 }
    }
    await runInSlices(writeBatch, { checkpointWal: database.checkpointWal })
    expect(readFileSize()).toBeGreaterThan(20 * mebibyte)
    // A WAL that is never checkpointed would have 40 MiB.
    expect(statSync(`${file}-wal`).size).toBeLessThan(20 * mebibyte)
  })

  it('return to the committing thread when the worker fails', async () => {
    rmSync(folder, { recursive: true })
    await expect(database.checkpointWal!()).resolves.toBeUndefined()
    const { rows } = await sql`pragma wal_autocheckpoint`.execute(database.db)
    expect(rows).toEqual([{ wal_autocheckpoint: 1000 }])
  })

  it('do nothing once the database is closed', async () => {
    await database.close()
    await expect(database.checkpointWal!()).resolves.toBeUndefined()
  })

  it('start no worker while the database is closing', async () => {
    await database.checkpointWal!()
    const closing = database.close()
    await Promise.all([closing, database.checkpointWal!()])
    // SQLite creates a WAL when a worker opens the file, and deletes it when the last connection is closed.
    await delay(300)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  it('continue while the idle worker of earlier work is closing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await database.checkpointWal!()
    vi.advanceTimersByTime(60_000)
    for (let index = 0; index < 8; index += 1) await writeBlob(mebibyte)
    await database.checkpointWal!()
    expect(readFileSize()).toBeGreaterThan(8 * mebibyte)
    const { rows } = await sql`pragma wal_autocheckpoint`.execute(database.db)
    expect(rows).not.toEqual([{ wal_autocheckpoint: 1000 }])
  })

  it('end the idle worker', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await Promise.all([database.checkpointWal!(), database.checkpointWal!()])
    vi.advanceTimersByTime(60_000)
    const { rows } = await sql`pragma wal_autocheckpoint`.execute(database.db)
    expect(rows).toEqual([{ wal_autocheckpoint: 1000 }])
  })

  it('are absent for a database in memory', async () => {
    const memoryDatabase = openDatabase(':memory:')
    expect(memoryDatabase.checkpointWal).toBeUndefined()
    await memoryDatabase.close()
  })
})
