import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseEngines, createSeededDatabase, type SeededDatabase } from '../../test/databases'
import { findChangedSecrets } from './secret-fingerprints'

describe.each(databaseEngines)('the comparison of secrets between starts (%s)', (databaseEngine) => {
  let database: SeededDatabase
  beforeAll(async () => {
    database = await createSeededDatabase(databaseEngine)
  })
  afterAll(() => database.close())

  const startWith = (JWT_SECRET: string, ENCRYPTION_SECRET: string) =>
    findChangedSecrets(database, { JWT_SECRET, ENCRYPTION_SECRET })

  it('warns once about each setting that differs from the previous start', async () => {
    expect(await startWith('one', 'two')).toEqual([])
    expect(await startWith('one', 'two')).toEqual([])
    expect(await startWith('other', 'two')).toEqual([
      expect.stringMatching(/^JWT_SECRET has changed since the previous start/),
    ])
    expect(await startWith('other', 'two')).toEqual([])
    // Another server, with other values for both.
    expect(await startWith('one', 'three')).toEqual([
      expect.stringMatching(/^JWT_SECRET /),
      expect.stringMatching(
        /^ENCRYPTION_SECRET .*the other servers cannot read the credentials that one server stores\.$/,
      ),
    ])
  })

  it('stores no secret, and different hashes for the same secret', async () => {
    await startWith('the same secret', 'the same secret')
    const rows = await database.db.selectFrom('trunkline_secret_fingerprints').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('the same secret')
    expect(rows[0]!.hash).not.toBe(rows[1]!.hash)
  })

  it('does not fail when two servers start at the same time', async () => {
    await Promise.all([startWith('a', 'a'), startWith('b', 'b')])
    expect(await database.db.selectFrom('trunkline_secret_fingerprints').selectAll().execute()).toHaveLength(2)
  })
})
