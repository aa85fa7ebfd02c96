import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase, engines, type EmptyDatabase } from '../../test/engines'
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

describe.each(engines)('text with non-ASCII letters on %s', (engine) => {
  let database: EmptyDatabase
  beforeAll(async () => {
    database = await emptyDatabase(engine)
    const text = sql.raw(engine === 'mysql' ? 'varchar(64)' : 'text collate nocase')
    await sql`create table places (name ${text} not null)`.execute(database.db)
    await sql`insert into places values ${sql.join(names.map((name) => sql`(${name})`))}`.execute(database.db)
  })
  afterAll(() => database.close())

  const find = async (where: ReturnType<typeof equalsText>) =>
    (await sql<{ name: string }>`select name from places where ${where}`.execute(database.db)).rows
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
  ])('%s is contained in %j', async (text, expected) => {
    expect(await find(containsText(sql`name`, text))).toEqual(expected)
  })

  it.each([
    ['ärzte', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['ARZTE', ['Ärzte', 'ÄRZTE', 'Arzte']],
    ['ärzt', []],
    ['%', []],
    ['йод', ['Йод']],
  ])('%s is read in %j', async (text, expected) => {
    expect(await find(equalsText(sql`name`, text))).toEqual(expected)
  })
})
