import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository-options'
import { forEachBatch } from '../../sql/batches'
import type { IndexedCall } from './call-block'
import { hourOf, providerKindOffset, trunkKindOffset, toTrunkOwnerSid } from './time-ids'

/** Aggregates of one hour, named like their columns. */
interface HourSum {
  number: number
  seconds: number
  /** The number of calls with a known delay. */
  timed: number
  /** Milliseconds. */
  delay: number
}

const sumColumns = ['number', 'seconds', 'timed', 'delay'] as const

/** A row to count. Alerts only have an owner and a kind. */
export type CountedRow = Pick<IndexedCall, 'id' | 'service_provider_sid' | 'account_sid'> &
  Partial<Pick<IndexedCall, 'sip_status' | 'seconds' | 'delay' | 'trunk'>> & { kind: number }

/** A change of the counts of one owner and hour. */
interface CountChange {
  owner_sid: string
  hour: number
  kind: number
  sip_status: number
  sum: HourSum
}

/** Adds a row to the counts, or subtracts it. */
type Sign = 1 | -1

const buildCountChange = (owner_sid: string, kindOffset: number, row: CountedRow, sign: Sign): CountChange => ({
  owner_sid,
  hour: hourOf(row.id),
  kind: row.kind + kindOffset,
  sip_status: row.sip_status ?? 0,
  sum: {
    number: sign,
    seconds: sign * (row.seconds ?? 0),
    timed: sign * Number(typeof row.delay === 'number'),
    delay: sign * (row.delay ?? 0),
  },
})

/** Returns the changes to the counts of the row's account and provider. */
export const buildTenantChanges = (row: CountedRow, sign: Sign): CountChange[] => [
  ...(row.account_sid === null ? [] : [buildCountChange(row.account_sid, 0, row, sign)]),
  ...(row.service_provider_sid === null
    ? []
    : [buildCountChange(row.service_provider_sid, providerKindOffset, row, sign)]),
]

/** Returns the changes to the counts of the row's trunk, for its account and its provider. */
export const buildTrunkChanges = (row: CountedRow, sign: Sign): CountChange[] => {
  const { trunk } = row
  if (typeof trunk !== 'string') return []
  return buildTenantChanges(row, sign).map((change) => ({
    ...change,
    owner_sid: toTrunkOwnerSid(change.owner_sid, trunk),
    kind: change.kind + trunkKindOffset,
  }))
}

/** Rows per statement. */
const batchSize = 250

const mergeChanges = (changes: readonly CountChange[]): CountChange[] => {
  const changeByKey = new Map<string, CountChange>()
  for (const change of changes) {
    const key = [change.owner_sid, change.hour, change.kind, change.sip_status].join(' ')
    const mergedChange = changeByKey.get(key)
    if (mergedChange) for (const name of sumColumns) mergedChange.sum[name] += change.sum[name]
    else changeByKey.set(key, { ...change, sum: { ...change.sum } })
  }
  // Every process locks rows in the same order, to avoid deadlocks.
  return [...changeByKey.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}

/** Creates a function that updates hour counts. It runs in the transaction that changes the counted rows. */
export const createHourCountUpdater = ({ engine }: Pick<Database, 'engine'>) => {
  const upsertClause =
    engine === 'mysql'
      ? sql`on duplicate key update`
      : sql`on conflict (owner_sid, hour, kind, sip_status) do update set`
  const assignments = sumColumns.map((name) => {
    const column = sql.ref(name)
    return sql`${column} = ${column} + ${engine === 'mysql' ? sql`values(${column})` : sql`excluded.${column}`}`
  })
  const columns = sql.join(sumColumns.map((name) => sql.ref(name)))

  return async (trx: Connection, changes: readonly CountChange[]): Promise<void> => {
    await forEachBatch(mergeChanges(changes), batchSize, (batch) => {
      const values = batch.map(
        ({ owner_sid, hour, kind, sip_status, sum }) =>
          sql`(${sql.join([owner_sid, hour, kind, sip_status, ...sumColumns.map((name) => sum[name])])})`,
      )
      return sql`insert into trunkline_hour_counts (owner_sid, hour, kind, sip_status, ${columns})
        values ${sql.join(values)} ${upsertClause} ${sql.join(assignments)}`.execute(trx)
    })
  }
}
