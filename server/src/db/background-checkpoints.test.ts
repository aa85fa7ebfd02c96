import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
    await database.checkpoint!()
    const bytesBefore = readFileSize()
    // SQLite's default limit is 4 MiB.
    for (let index = 0; index < 8; index += 1) await writeBlob(mebibyte)
    expect(readFileSize()).toBe(bytesBefore)
    await database.checkpoint!()
    expect(readFileSize()).toBeGreaterThan(8 * mebibyte)
  })

  it('happen after each slice of background work', async () => {
    let batches = 0
    const writeBatch = async () => {
      await writeBlob(mebibyte)
      batches += 1
      return { hasMore: batches < 40 }
    }
    await runInSlices(writeBatch, { checkpoint: database.checkpoint })
    expect(readFileSize()).toBeGreaterThan(20 * mebibyte)
    // A WAL that is never checkpointed would have 40 MiB.
    expect(statSync(`${file}-wal`).size).toBeLessThan(20 * mebibyte)
  })

  it('return to the committing thread when the worker fails', async () => {
    rmSync(folder, { recursive: true })
    await expect(database.checkpoint!()).resolves.toBeUndefined()
    const { rows } = await sql`pragma wal_autocheckpoint`.execute(database.db)
    expect(rows).toEqual([{ wal_autocheckpoint: 1000 }])
  })

  it('do nothing once the database is closed', async () => {
    await database.close()
    await expect(database.checkpoint!()).resolves.toBeUndefined()
  })

  it('are absent for a database in memory', async () => {
    const memoryDatabase = openDatabase(':memory:')
    expect(memoryDatabase.checkpoint).toBeUndefined()
    await memoryDatabase.close()
  })
})
