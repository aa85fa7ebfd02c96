import { sql } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getReach } from '@trunkline/contract/policy/can'
import type { KindWithDependents } from '@trunkline/contract/resources/dependents'
import type { RecordDependents } from '@trunkline/contract/shapes/dependents'
import type { Store } from '../../db/repository'
import { buildReachCondition, ownershipByKind } from '../../db/tenancy'
import { referencesByKind, type Reference } from './references'

/** The maximum number of records listed per kind. */
const maxListedPerKind = 20

/**
 * The records that use a record: one query counts them, and one per kind reads the first of those that there are. No
 * query joins the titles of two kinds, because MySQL does not combine columns with different collations. Rows that the
 * actor's lists do not contain are left out: an application or a shared carrier may be used by other tenants.
 */
export const createDependentRepository = ({ database: { db } }: Store) => {
  const buildFrom = ({ kind, refersTo }: Reference, sid: string, actor: Actor) => {
    const ownership = ownershipByKind[kind]
    const isInReach = buildReachCondition(getReach(actor, kind), ownership)
    return sql`from ${sql.table(ownership.table)} t where ${refersTo(sid)} and ${isInReach}`
  }

  const countByKind = async (references: readonly Reference[], sid: string, actor: Actor) => {
    const counts = references.map(
      (reference) =>
        sql`select ${sql.lit(reference.kind)} as kind, count(*) as total ${buildFrom(reference, sid, actor)}`,
    )
    const { rows } = await sql<{ kind: string; total: number | string }>`${sql.join(counts, sql` union all `)}`.execute(
      db,
    )
    return new Map(rows.map(({ kind, total }) => [kind, Number(total)]))
  }

  const listFirst = async (reference: Reference, sid: string, actor: Actor) => {
    const [title, otherTitle = sql`null`] = reference.titles
    const { rows } = await sql<{ sid: string; title: string | null; other_title: string | null }>`
      select ${sql.ref(`t.${ownershipByKind[reference.kind].key}`)} as sid, ${title} as title, ${otherTitle} as other_title
      ${buildFrom(reference, sid, actor)} order by title, other_title limit ${sql.lit(maxListedPerKind)}`.execute(db)
    return rows.map((row) => ({ sid: row.sid, title: row.title ?? row.other_title ?? row.sid }))
  }

  return {
    async listDependents(kind: KindWithDependents, sid: string, actor: Actor): Promise<RecordDependents['dependents']> {
      const totals = await countByKind(referencesByKind[kind], sid, actor)
      const dependents: RecordDependents['dependents'] = []
      for (const reference of referencesByKind[kind]) {
        const total = totals.get(reference.kind) ?? 0
        if (total > 0)
          dependents.push({
            kind: reference.kind,
            total,
            prevents_deletion: reference.preventsDeletion,
            records: await listFirst(reference, sid, actor),
          })
      }
      return dependents
    },
  }
}
