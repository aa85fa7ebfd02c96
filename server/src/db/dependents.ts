import { sql, type RawBuilder } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Connection } from './repository-options'

const maxListedPerKind = 100

/**
 * The records that prevent a deletion. Each query selects `kind`, `sid` and `title` of the records of one kind. Only the first
 * records of each kind are returned; if there are more, `total` is the number of all.
 */
export const findDependents = async (db: Connection, queries: RawBuilder<unknown>[]): Promise<Dependent[]> => {
  const loadKind = async (query: RawBuilder<unknown>) => {
    const { rows } = await sql<Dependent>`${query} limit ${sql.lit(maxListedPerKind)}`.execute(db)
    if (rows.length < maxListedPerKind) return rows
    const result = await sql<{ total: number }>`select count(*) as total from (${query}) as dependents`.execute(db)
    const total = Number(result.rows[0]?.total)
    return rows.map((row) => ({ ...row, total }))
  }
  return (await Promise.all(queries.map(loadKind))).flat()
}
