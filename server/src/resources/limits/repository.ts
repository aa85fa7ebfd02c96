import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { LimitCategory } from '@trunkline/contract/billing/limits'
import type { Store } from '../../db/repository'
import { withTransaction } from '../../db/transaction'

/** For each kind of owner: the table of its limits, the columns with their SID and owner, and the table of the owners. */
const limitTables = {
  account: { table: 'account_limits', key: 'account_limits_sid', ownerColumn: 'account_sid', ownerTable: 'accounts' },
  service_provider: {
    table: 'service_provider_limits',
    key: 'service_provider_limits_sid',
    ownerColumn: 'service_provider_sid',
    ownerTable: 'service_providers',
  },
} as const

export type LimitOwnerKind = keyof typeof limitTables

/** The limits of accounts and service providers: one per owner and category. */
export const createLimitRepository = ({ database: { db, engine } }: Store) => {
  /** Locks the selected rows until the transaction ends. SQLite has a single writer anyway. */
  const lockClause = engine === 'mysql' ? sql`for update` : sql``

  const limitCondition = (ownerKind: LimitOwnerKind, ownerSid: string, category?: LimitCategory) => {
    const ownerCondition = sql`${sql.ref(limitTables[ownerKind].ownerColumn)} = ${ownerSid}`
    return category ? sql`${ownerCondition} and category = ${category}` : ownerCondition
  }

  return {
    async list<Row>(ownerKind: LimitOwnerKind, ownerSid: string, category?: LimitCategory): Promise<Row[]> {
      const { table, key } = limitTables[ownerKind]
      const { rows } =
        await sql<Row>`select * from ${sql.table(table)} where ${limitCondition(ownerKind, ownerSid, category)}
        order by category, ${sql.ref(key)}`.execute(db)
      return rows
    },

    /** The limits of one category that the accounts of a provider have. */
    async listOfAccounts(
      service_provider_sid: string,
      category: LimitCategory,
    ): Promise<{ account_sid: string; quantity: number }[]> {
      return db
        .selectFrom('account_limits')
        .innerJoin('accounts', 'accounts.account_sid', 'account_limits.account_sid')
        .select(['account_limits.account_sid', 'account_limits.quantity'])
        .where('accounts.service_provider_sid', '=', service_provider_sid)
        .where('account_limits.category', '=', category)
        .execute()
    },

    /** The limits of one category that these accounts have. */
    async listOfMany(
      account_sids: readonly string[],
      category: LimitCategory,
    ): Promise<{ account_sid: string; quantity: number }[]> {
      return db
        .selectFrom('account_limits')
        .select(['account_sid', 'quantity'])
        .where('account_sid', 'in', account_sids)
        .where('category', '=', category)
        .execute()
    },

    /**
     * Sets one limit and returns its SID. The table has no unique key per category, so the owner's row is locked first, and
     * duplicates that other programs inserted are merged.
     */
    save: (ownerKind: LimitOwnerKind, ownerSid: string, category: LimitCategory, quantity: number): Promise<string> =>
      withTransaction(db, async (tx) => {
        const { table, key, ownerColumn, ownerTable } = limitTables[ownerKind]
        await sql`select 1 from ${sql.table(ownerTable)} where ${sql.ref(ownerColumn)} = ${ownerSid} ${lockClause}`.execute(
          tx,
        )
        const { rows } = await sql<{ limit_sid: string }>`select ${sql.ref(key)} as limit_sid from ${sql.table(table)}
          where ${limitCondition(ownerKind, ownerSid, category)} order by ${sql.ref(key)} ${lockClause}`.execute(tx)
        const limitSid = rows[0]?.limit_sid ?? randomUUID()
        if (rows.length === 0)
          await sql`insert into ${sql.table(table)} (${sql.ref(key)}, ${sql.ref(ownerColumn)}, category, quantity)
            values (${limitSid}, ${ownerSid}, ${category}, ${quantity})`.execute(tx)
        else
          await sql`update ${sql.table(table)} set quantity = ${quantity} where ${sql.ref(key)} = ${limitSid}`.execute(
            tx,
          )
        if (rows.length > 1)
          await sql`delete from ${sql.table(table)}
            where ${limitCondition(ownerKind, ownerSid, category)} and ${sql.ref(key)} <> ${limitSid}`.execute(tx)
        return limitSid
      }),

    /** Removes one limit of an owner, or all of them if there is no category. */
    async remove(ownerKind: LimitOwnerKind, ownerSid: string, category?: LimitCategory): Promise<void> {
      await sql`delete from ${sql.table(limitTables[ownerKind].table)} where ${limitCondition(ownerKind, ownerSid, category)}`.execute(
        db,
      )
    },
  }
}

export type Limits = ReturnType<typeof createLimitRepository>
