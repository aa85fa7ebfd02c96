import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from '../../test/databases'
import { containsText, equalsText } from './repository'

const names = [
  'Ärzte',
  'ÄRZTE',
  'Arzte',
  'Zoë',
  'Łódź',
  'Straße',
  'Ёлка',
  'Йод',
  'ΟΔΟΣ',
  'İzmir',
  'Ångström 100%',
  '東京',
]

describe.each(databaseEngines)('text with non-ASCII letters on %s', (databaseEngine) => {
  let database: EmptyDatabase
  beforeAll(async () => {
    database = await createEmptyDatabase(databaseEngine)
    const columnType = sql.raw(databaseEngine === 'mysql' ? 'varchar(64) character set utf8mb4' : 'text collate nocase')
    await sql`create table cities (name ${columnType} not null)`.execute(database.db)
    await sql`insert into cities values ${sql.join(names.map((name) => sql`(${name})`))}`.execute(database.db)
  })
  afterAll(() => database.close())

  const findNames = async (where: ReturnType<typeof equalsText>) =>
    (await sql<{ name: string }>`select name from cities where ${where}`.execute(database.db)).rows
      .map(({ name }) => name)
      .sort((a, b) => names.indexOf(a) - names.indexOf(b))

  it.each([
    ['ärz', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['ÄRZ', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['arz', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['zoe', ['Zoë']],
    ['ZOË', ['Zoë']],
    ['óDŹ', ['Łódź']],
    ['lodz', []],
    ['SSE', []],
    ['aße', ['Straße']],
    ['елка', ['Ёлка']],
    ['йОД', ['Йод']],
    ['иод', []],
    ['οδος', ['ΟΔΟΣ']],
    ['izm', ['İzmir']],
    ['ström 100%', ['Ångström 100%']],
    ['Å_g', []],
    ['京', ['東京']],
  ])('%s is part of %j', async (text, expected) => {
    expect(await findNames(containsText(sql`name`, text))).toEqual(expected)
  })

  it.each([
    ['ärzte', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['ARZTE', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['ärzt', []],
    ['%', []],
    ['йод', ['Йод']],
  ])('%s equals %j', async (text, expected) => {
    expect(await findNames(equalsText(sql`name`, text))).toEqual(expected)
  })
})
