import { sql } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getReach } from '@trunkline/contract/policy/can'
import type { CountedKind, RecordCounts } from '@trunkline/contract/shapes/record-counts'
import type { Store } from '../../db/repository'
import { buildReachCondition, ownershipByKind } from '../../db/tenancy'

/** A record to count for. */
export interface CountedRecord {
  sid: string
  /** The number of a phone number. */
  name: string
  service_provider_sid: string | null
}

/** A kind of record that phone numbers refer to. */
export type NumberOwnerKind = Exclude<CountedKind, 'phone_number'>

/** Reads the records to count for, and counts their phone numbers. Each is one query for all records. */
export const createRecordCountRepository = ({ database: { db } }: Store) => ({
  /** The records that the actor's lists contain. Foreign records look as if they did not exist. */
  async listRecords(kind: CountedKind, sids: readonly string[], actor: Actor): Promise<CountedRecord[]> {
    const ownership = ownershipByKind[kind]
    const key = sql.ref(`t.${ownership.key}`)
    const name = sql.ref(kind === 'phone_number' ? 't.number' : 't.name')
    const { rows } = await sql<CountedRecord>`
      select ${key} as sid, ${name} as name, ${ownership.provider} as service_provider_sid
      from ${sql.table(ownership.table)} t ${ownership.joins}
      where ${key} in (${sql.join(sids)}) and ${buildReachCondition(getReach(actor, kind), ownership)}`.execute(db)
    return rows
  },

  /** Counts the phone numbers that the actor can list, in the order of the records. */
  async countNumbers(
    kind: NumberOwnerKind,
    records: readonly CountedRecord[],
    actor: Actor,
  ): Promise<RecordCounts[string][]> {
    const owner = sql.ref(`t.${ownershipByKind[kind].key}`)
    const { rows } = await sql<{ owner_sid: string; total: number | string }>`
      select ${owner} as owner_sid, count(*) as total from phone_numbers t
      where ${owner} in (${sql.join(records.map(({ sid }) => sid))})
        and ${buildReachCondition(getReach(actor, 'phone_number'), ownershipByKind.phone_number)}
      group by ${owner}`.execute(db)
    const totals = new Map(rows.map(({ owner_sid, total }) => [owner_sid, Number(total)]))
    return records.map(({ sid }) => ({ phone_numbers: totals.get(sid) ?? 0 }))
  },
})
