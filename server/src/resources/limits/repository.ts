import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { LimitCategory } from '@trunkline/contract/billing/limits'
import type { Store } from '../../db/repository'
import { withTransaction } from '../../db/transaction'

/** The two kinds of owner with limits, and their tables. */
const tables = {
  account: { table: 'account_limits', key: 'account_limits_sid', owner: 'account_sid', owners: 'accounts' },
  service_provider: {
    table: 'service_provider_limits',
    key: 'service_provider_limits_sid',
    owner: 'service_provider_sid',
    owners: 'service_providers',
  },
} as const

export type LimitOwner = keyof typeof tables

/** The limits of accounts and of service providers: one for each category. */
export const limits = ({ database: { db, engine } }: Store) => {
  /** Locks the selected rows until the transaction ends. SQLite has a single writer anyway. */
  const lockClause = engine === 'mysql' ? sql`for update` : sql``

  const conditionOf = (kind: LimitOwner, sid: string, category?: LimitCategory) => {
    const ownerCondition = sql`${sql.ref(tables[kind].owner)} = ${sid}`
    return category ? sql`${ownerCondition} and category = ${category}` : ownerCondition
  }

  return {
    async list<Row>(kind: LimitOwner, sid: string, category?: LimitCategory): Promise<Row[]> {
      const { table, key } = tables[kind]
      const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${conditionOf(kind, sid, category)}
        order by category, ${sql.ref(key)}`.execute(db)
      return rows
    },

    /**
     * Sets one limit and returns its SID. The table has no unique key per category, so the owner is locked first, and
     * duplicate rows from other programs are merged.
     */
    save: (kind: LimitOwner, sid: string, category: LimitCategory, quantity: number): Promise<string> =>
      withTransaction(db, async (tx) => {
        const { table, key, owner: ownerColumn, owners: ownerTable } = tables[kind]
        await sql`select 1 from ${sql.table(ownerTable)} where ${sql.ref(ownerColumn)} = ${sid} ${lockClause}`.execute(
          tx,
        )
        const { rows } = await sql<{ sid: string }>`select ${sql.ref(key)} as sid from ${sql.table(table)}
          where ${conditionOf(kind, sid, category)} order by ${sql.ref(key)} ${lockClause}`.execute(tx)
        const limitSid = rows[0]?.sid ?? randomUUID()
        if (rows.length === 0)
          await sql`insert into ${sql.table(table)} (${sql.ref(key)}, ${sql.ref(ownerColumn)}, category, quantity)
            values (${limitSid}, ${sid}, ${category}, ${quantity})`.execute(tx)
        else
          await sql`update ${sql.table(table)} set quantity = ${quantity} where ${sql.ref(key)} = ${limitSid}`.execute(
            tx,
          )
        if (rows.length > 1)
          await sql`delete from ${sql.table(table)}
            where ${conditionOf(kind, sid, category)} and ${sql.ref(key)} <> ${limitSid}`.execute(tx)
        return limitSid
      }),

    /** Removes one limit, or all of an owner. */
    async remove(kind: LimitOwner, sid: string, category?: LimitCategory): Promise<void> {
      await sql`delete from ${sql.table(tables[kind].table)} where ${conditionOf(kind, sid, category)}`.execute(db)
    },
  }
}

export type Limits = ReturnType<typeof limits>
