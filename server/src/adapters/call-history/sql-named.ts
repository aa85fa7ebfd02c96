import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../db/table'
import type { CallName, Tenant } from '../../ports/call-history'
import { digestOf, spanOf } from './sql-places'
import { ownerOf, storedOf, type Stored } from './sql-rows'

/** So many calls are looked through that have one name, or another one with the same digest. */
const most = 20

/** Finds calls by one of their names. `oldest`: the moment before which nobody sees any. */
export const sqlNaming = ({ database: { db } }: Pick<Store, 'database'>, oldest: () => number) => {
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

    /** Has somebody else a call of this name? */
    isForeign: async (of: Tenant, by: CallName): Promise<boolean> =>
      (await named(by, sql`coalesce(${ownerOf(of).owner}, 0) = 0`)).length > 0,
  }
}
