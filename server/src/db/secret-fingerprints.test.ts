import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, fresh, type FreshDatabase } from '../../test/engines'
import { secretWarnings } from './secret-fingerprints'

describe.each(engines)('the comparison of secrets between starts (%s)', (engine) => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await fresh(engine)
  })
  afterAll(() => database.close())

  const start = (JWT_SECRET: string, ENCRYPTION_SECRET: string) =>
    secretWarnings(database, { JWT_SECRET, ENCRYPTION_SECRET })

  it('warns once about each setting that differs from the previous start', async () => {
    expect(await start('one', 'two')).toEqual([])
    expect(await start('one', 'two')).toEqual([])
    expect(await start('other', 'two')).toEqual([
      expect.stringMatching(/^JWT_SECRET has changed since the previous start/),
    ])
    expect(await start('other', 'two')).toEqual([])
    // Another server, with other values for both.
    expect(await start('one', 'three')).toEqual([
      expect.stringMatching(/^JWT_SECRET /),
      expect.stringMatching(
        /^ENCRYPTION_SECRET .*the other servers cannot read the credentials that one server stores\.$/,
      ),
    ])
  })

  it('stores no secret, and different hashes for the same secret', async () => {
    await start('the same secret', 'the same secret')
    const rows = await database.db.selectFrom('trunkline_secret_fingerprints').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('the same secret')
    expect(rows[0]!.hash).not.toBe(rows[1]!.hash)
  })

  it('does not fail when two servers start at the same time', async () => {
    await Promise.all([start('a', 'a'), start('b', 'b')])
    expect(await database.db.selectFrom('trunkline_secret_fingerprints').selectAll().execute()).toHaveLength(2)
  })
})
