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

/** The maximum number of calls to check: a call with the same digest may have another identifier. */
const maxCandidates = 20

/** Creates a finder of calls by identifier. `getOldestAt` returns the start of the retention period. */
export const createSqlCallFinder = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  getOldestAt: () => number,
) => {
  const isMysql = engine === 'mysql'
  // Identifiers are case-sensitive; digests ignore case.
  const binaryType = isMysql ? sql`binary` : sql`blob`

  /** The newest calls of these owners with this identifier. */
  const findNewestCalls = async (
    identifier: CallIdentifier,
    ownerCondition: RawBuilder<unknown>,
  ): Promise<StoredRow[]> => {
    const [[column, value] = ['', '']] = Object.entries<string>(identifier)
    const { low } = idRangeOf({}, getOldestAt())
    const { rows } = await sql<{ id: number; point: string }>`select id, point from trunkline_calls
      where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and ${ownerCondition} and id >= ${low}
      order by id desc limit ${maxCandidates}`.execute(db)
    // Another identifier may have the same digest.
    return toStoredRows(rows).filter(({ values }) => values[column] === value)
  }

  return {
    /** The newest call with this identifier. */
    findCall: async (tenant: Tenant, identifier: CallIdentifier): Promise<StoredRow | undefined> =>
      (await findNewestCalls(identifier, ownerFilter(tenant).ownerCondition))[0],

    /** The database groups the records, because one API key can write any number of them with the identifier of a foreign call. */
    isCallOwner: async (tenant: Tenant, identifier: CallIdentifier): Promise<boolean> => {
      const [[column, value] = ['', '']] = Object.entries<string>(identifier)
      const { low } = idRangeOf({}, getOldestAt())
      const pointField = (name: string) => sql`json_extract(point, ${`$.${name}`})`
      const storedIdentifier = isMysql ? sql`json_unquote(${pointField(column)})` : pointField(column)
      const { rows } = await sql<OwnershipClaim>`
        select service_provider_sid, account_sid, min(arrival) as arrival from (
          select service_provider_sid, account_sid, ${pointField(arrivalField)} + 0 as arrival from trunkline_calls
          where ${sql.ref(`${column}_digest`)} = ${digestOf(value)} and id >= ${low}
            and cast(${storedIdentifier} as ${binaryType}) = cast(${value} as ${binaryType})) matching_calls
        group by service_provider_sid, account_sid, arrival is null`.execute(db)
      return claimsProveOwner(
        rows.map((row) => ({ ...row, arrival: row.arrival === null ? null : Number(row.arrival) })),
        tenant,
      )
    },
  }
}
