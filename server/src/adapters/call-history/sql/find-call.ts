import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import {
  claimsProveOwner,
  arrivalField,
  type CallIdentifier,
  type OwnershipClaim,
  type Tenant,
} from '../../../ports/call-history'
import { digestOf, idRangeOf } from './time-ids'
import { ownerFilter, toStoredRows, type StoredRow } from './stored-rows'

/** The number of candidates: calls that share the identifier, or its digest. */
const maxCandidates = 20

/** Finds calls by an identifier. `oldestAt`: the start of the retention period. */
export const sqlCallFinder = ({ database: { db, engine } }: Pick<Store, 'database'>, oldestAt: () => number) => {
  const mysql = engine === 'mysql'
  // Identifiers are compared with case; digests ignore it.
  const binary = mysql ? sql`binary` : sql`blob`

  /** The newest calls of these owners with this identifier. */
  const newestCalls = async (identifier: CallIdentifier, ownerCondition: RawBuilder<unknown>): Promise<StoredRow[]> => {
    const [[column, value] = ['', '']] = Object.entries<string>(identifier)
    const { low } = idRangeOf({}, oldestAt())
    const { rows } = await sql<{ id: number; point: string }>`select id, point from trunkline_calls
      where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and ${ownerCondition} and id >= ${low}
      order by id desc limit ${maxCandidates}`.execute(db)
    // Another identifier may have the same digest.
    return toStoredRows(rows).filter(({ values }) => values[column] === value)
  }

  return {
    /** The newest call with this identifier. */
    find: async (tenant: Tenant, identifier: CallIdentifier): Promise<StoredRow | undefined> =>
      (await newestCalls(identifier, ownerFilter(tenant).ownerCondition))[0],

    /** Grouped by the database, because a key may write any number of records with the identifier of a foreign call. */
    isOwner: async (tenant: Tenant, identifier: CallIdentifier): Promise<boolean> => {
      const [[column, value] = ['', '']] = Object.entries<string>(identifier)
      const { low } = idRangeOf({}, oldestAt())
      const pointField = (name: string) => sql`json_extract(point, ${`$.${name}`})`
      const storedValue = mysql ? sql`json_unquote(${pointField(column)})` : pointField(column)
      const { rows } = await sql<OwnershipClaim>`
        select service_provider_sid, account_sid, min(arrival) as arrival from (
          select service_provider_sid, account_sid, ${pointField(arrivalField)} + 0 as arrival from trunkline_calls
          where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and id >= ${low}
            and cast(${storedValue} as ${binary}) = cast(${value} as ${binary})) named
        group by service_provider_sid, account_sid, arrival is null`.execute(db)
      return claimsProveOwner(
        rows.map((row) => ({ ...row, arrival: row.arrival === null ? null : Number(row.arrival) })),
        tenant,
      )
    },
  }
}
