import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import { areOwned, arrivalField, type CallName, type Claim, type Tenant } from '../../../ports/call-history'
import { digestOf, spanOf } from './time-ids'
import { ownerOf, storedOf, type Stored } from './stored-rows'

/** So many calls are looked through that have one name, or another one with the same digest. */
const most = 20

/** Finds calls by one of their names. `oldest`: the moment before which nobody sees any. */
export const sqlNaming = ({ database: { db, engine } }: Pick<Store, 'database'>, oldest: () => number) => {
  const mysql = engine === 'mysql'
  // letters' case counts in a name, and is left out by its digest
  const binary = mysql ? sql`binary` : sql`blob`

  /** The newest calls of this name, with those owners. */
  const named = async (by: CallName, owners: RawBuilder<unknown>): Promise<Stored[]> => {
    const [[column, value] = ['', '']] = Object.entries<string>(by)
    const { low } = spanOf({}, oldest())
    const { rows } = await sql<{ id: number; point: string }>`select id, point from trunkline_calls
      where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and ${owners} and id >= ${low}
      order by id desc limit ${most}`.execute(db)
    // another name may have the same digest
    return storedOf(rows).filter(({ values }) => values[column] === value)
  }

  return {
    /** The newest call of this name. */
    find: async (of: Tenant, by: CallName): Promise<Stored | undefined> => (await named(by, ownerOf(of).owner))[0],

    /** Grouped by the database, because a key may write any number of records with the name of another tenant's call. */
    isOwner: async (of: Tenant, by: CallName): Promise<boolean> => {
      const [[column, value] = ['', '']] = Object.entries<string>(by)
      const { low } = spanOf({}, oldest())
      const inPoint = (name: string) => sql`json_extract(point, ${`$.${name}`})`
      const name = mysql ? sql`json_unquote(${inPoint(column)})` : inPoint(column)
      const { rows } = await sql<Claim>`
        select service_provider_sid, account_sid, min(arrival) as arrival from (
          select service_provider_sid, account_sid, ${inPoint(arrivalField)} + 0 as arrival from trunkline_calls
          where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and id >= ${low}
            and cast(${name} as ${binary}) = cast(${value} as ${binary})) named
        group by service_provider_sid, account_sid, arrival is null`.execute(db)
      return areOwned(
        rows.map((row) => ({ ...row, arrival: row.arrival === null ? null : Number(row.arrival) })),
        of,
      )
    },
  }
}
