import { sql, type RawBuilder } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Connection } from './repository'

/** Of a kind that are named. */
const named = 100

/** What keeps a record from being deleted, by statements of one kind each: `kind`, `sid`, `title`. The first are named, all are counted. */
export const dependentsOf = async (db: Connection, parts: RawBuilder<unknown>[]): Promise<Dependent[]> => {
  const of = async (part: RawBuilder<unknown>) => {
    const { rows } = await sql<Dependent>`${part} limit ${sql.lit(named)}`.execute(db)
    if (rows.length < named) return rows
    const counted = await sql<{ among: number }>`select count(*) as among from (${part}) as found`.execute(db)
    const among = Number(counted.rows[0]?.among)
    return rows.map((row) => ({ ...row, among }))
  }
  return (await Promise.all(parts.map(of))).flat()
}
