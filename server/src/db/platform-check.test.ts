import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from '../../test/databases'
import { findVersionProblem } from './platform-check'

describe.each(databaseEngines)("the platform's version on %s", (databaseEngine) => {
  let database: EmptyDatabase
  afterEach(() => database.close())

  test.each([
    [['0.9.4'], undefined],
    [['0.9.6'], undefined],
    [['0.9.3'], 'older than'],
    [['0.9.7'], 'newer than'],
    [['0.10.0'], 'newer than'],
    [['1.0'], 'newer than'],
    [[], 'schema_version is empty'],
    [['garbage'], "unknown version 'garbage'"],
    [['0.9.4', '0.9.6'], 'several versions (0.9.4, 0.9.6)'],
  ])('%j is named with what to do, unless it is supported', async (versions, expectedText) => {
    database = await createEmptyDatabase(databaseEngine)
    await sql`create table schema_version (version varchar(16))`.execute(database.db)
    for (const version of versions) await database.db.insertInto('schema_version').values({ version }).execute()
    const problem = await findVersionProblem(database.db)
    if (expectedText === undefined) expect(problem).toBeUndefined()
    else
      expect([problem?.message, problem?.repair]).toEqual([expect.stringContaining(expectedText), expect.any(String)])
  })
})
