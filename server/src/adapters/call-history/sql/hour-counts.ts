import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository'
import type { Numbered } from './call-block'
import { hourOf, ofProvider, ofTrunk, trunkOwner } from './time-ids'

/** What is added up of an hour: how many there are, and what an overview says of them. */
interface Sum {
  number: number
  seconds: number
  timed: number
  delay: number
}

const summed = ['number', 'seconds', 'timed', 'delay'] as const

/** A row as hours count it. Of alerts there is no more than whose they are. */
export type Counted = Pick<Numbered, 'id' | 'service_provider_sid' | 'account_sid'> &
  Partial<Pick<Numbered, 'sip_status' | 'seconds' | 'delay' | 'trunk'>> & { kind: number }

/** What one row adds to an hour of one owner. */
interface Addend {
  owner_sid: string
  hour: number
  kind: number
  sip_status: number
  sum: Sum
}

/** So much a row is to be added, or with -1, to be taken away. */
type By = 1 | -1

const addend = (owner_sid: string, offset: number, row: Counted, by: By): Addend => ({
  owner_sid,
  hour: hourOf(row.id),
  kind: row.kind + offset,
  sip_status: row.sip_status ?? 0,
  sum: {
    number: by,
    seconds: by * (row.seconds ?? 0),
    timed: by * Number(typeof row.delay === 'number'),
    delay: by * (row.delay ?? 0),
  },
})

/** What a row adds to the counts of its account and its provider. */
export const forTenants = (row: Counted, by: By): Addend[] => [
  ...(row.account_sid === null ? [] : [addend(row.account_sid, 0, row, by)]),
  ...(row.service_provider_sid === null ? [] : [addend(row.service_provider_sid, ofProvider, row, by)]),
]

/** What it adds to what they have on its trunk. */
export const forTrunks = (row: Counted, by: By): Addend[] => {
  const { trunk } = row
  if (typeof trunk !== 'string') return []
  return forTenants(row, by).map((each) => ({
    ...each,
    owner_sid: trunkOwner(each.owner_sid, trunk),
    kind: each.kind + ofTrunk,
  }))
}

/** Rows of one statement. */
const chunk = 250

const together = (addends: readonly Addend[]): Addend[] => {
  const sums = new Map<string, Addend>()
  for (const each of addends) {
    const key = [each.owner_sid, each.hour, each.kind, each.sip_status].join(' ')
    const before = sums.get(key)
    if (before) for (const name of summed) before.sum[name] += each.sum[name]
    else sums.set(key, { ...each, sum: { ...each.sum } })
  }
  // in one order for all, so that two processes do not wait for each other
  return [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
}

/** Adds to the counts of hours, in the transaction that changes what is counted. */
export const sqlCounts = ({ engine }: Pick<Database, 'engine'>) => {
  const upsert =
    engine === 'mysql'
      ? sql`on duplicate key update`
      : sql`on conflict (owner_sid, hour, kind, sip_status) do update set`
  const added = summed.map((name) => {
    const column = sql.ref(name)
    return sql`${column} = ${column} + ${engine === 'mysql' ? sql`values(${column})` : sql`excluded.${column}`}`
  })
  const columns = sql.join(summed.map((name) => sql.ref(name)))

  return async (trx: Connection, addends: readonly Addend[]): Promise<void> => {
    const lines = together(addends)
    for (let at = 0; at < lines.length; at += chunk) {
      const values = lines
        .slice(at, at + chunk)
        .map(
          ({ owner_sid, hour, kind, sip_status, sum }) =>
            sql`(${sql.join([owner_sid, hour, kind, sip_status, ...summed.map((name) => sum[name])])})`,
        )
      await sql`insert into trunkline_hour_counts (owner_sid, hour, kind, sip_status, ${columns})
        values ${sql.join(values)} ${upsert} ${sql.join(added)}`.execute(trx)
    }
  }
}
