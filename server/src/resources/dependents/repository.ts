import { sql, type RawBuilder } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getReach } from '@trunkline/contract/policy/can'
import type { KindWithDependents } from '@trunkline/contract/resources/dependents'
import type { RecordDependents } from '@trunkline/contract/shapes/dependents'
import type { Store } from '../../db/repository'
import { buildReachCondition, ownershipByKind } from '../../db/tenancy'
import { referencesByKind, type Reference } from './references'

/** The maximum number of records listed per kind. */
const maxListedPerKind = 20

type Select = (reference: Reference, fromReferring: RawBuilder<unknown>) => RawBuilder<unknown>

/**
 * The records that use a record, in two queries: one counts them, one reads the first of each kind that has any. Rows that
 * the actor's lists do not contain are left out: an application or a shared carrier may be used by other tenants.
 */
export const createDependentRepository = ({ database: { db } }: Store) => {
  const query = async <Row>(references: readonly Reference[], sid: string, actor: Actor, select: Select) => {
    const parts = references.map((reference) => {
      const ownership = ownershipByKind[reference.kind]
      const isInReach = buildReachCondition(getReach(actor, reference.kind), ownership)
      return select(
        reference,
        sql`from ${sql.table(ownership.table)} t where ${reference.refersTo(sid)} and ${isInReach}`,
      )
    })
    const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db)
    return rows
  }

  return {
    async listDependents(kind: KindWithDependents, sid: string, actor: Actor): Promise<RecordDependents['dependents']> {
      const counts = await query<{ kind: string; total: number | string }>(
        referencesByKind[kind],
        sid,
        actor,
        (reference, fromReferring) =>
          sql`select ${sql.lit(reference.kind)} as kind, count(*) as total ${fromReferring}`,
      )
      const totals = new Map(counts.map((row) => [row.kind, Number(row.total)]))
      const usedReferences = referencesByKind[kind].filter((reference) => totals.get(reference.kind))
      if (usedReferences.length === 0) return []
      const rows = await query<{ kind: string; sid: string; title: string }>(
        usedReferences,
        sid,
        actor,
        // in a subquery of its own, because a union orders and limits only all its rows together
        (reference, fromReferring) => sql`select * from (select ${sql.lit(reference.kind)} as kind,
          ${sql.ref(`t.${ownershipByKind[reference.kind].key}`)} as sid, ${reference.title} as title
          ${fromReferring} order by title limit ${sql.lit(maxListedPerKind)}) as ${sql.ref(`first_${reference.kind}`)}`,
      )
      return usedReferences.map((reference) => ({
        kind: reference.kind,
        total: totals.get(reference.kind) ?? 0,
        prevents_deletion: reference.preventsDeletion,
        records: rows.filter((row) => row.kind === reference.kind).map((row) => ({ sid: row.sid, title: row.title })),
      }))
    },
  }
}
