import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Connection, Row, WriteCheck } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { conflict } from '../../http/problem'
import type { LcrRoutes, RouteDraft } from '../lcr-routes/public'

const versionLength = 32

/** Adds the number of routes to each LCR, with one query per list. */
const addRouteCounts = async (rows: Row[], connection: Connection): Promise<Row[]> => {
  if (rows.length === 0) return rows
  const counts = await sql<{
    lcr_sid: string
    number_routes: number | string
  }>`select lcr_sid, count(*) as number_routes from lcr_routes
    where lcr_sid in (${sql.join(rows.map((row) => row.lcr_sid))}) group by lcr_sid`.execute(connection)
  const countByLcr = new Map(counts.rows.map(({ lcr_sid, number_routes }) => [lcr_sid, Number(number_routes)]))
  return rows.map((row) => ({
    ...row,
    account_sid: row.account_sid || null,
    number_routes: countByLcr.get(row.lcr_sid as string) ?? 0,
  }))
}

/** LCRs with their routes. An LCR and its routes are written in one transaction. */
export const createLcrRepository = (store: Store, lcrRoutes: LcrRoutes) => {
  const { db } = store.database

  const baseRepository = createRepository<Lcr>(store, {
    ownership: ownershipByKind.lcr,
    sortableColumns: ['name', 'is_active', 'account_name'],
    sortExpressions: { account_name: sql`coalesce(accounts.name, service_providers.name)` },
    extraColumns: sql`, accounts.name as account_name, service_providers.name as service_provider_name`,
    extraJoins: sql`left join accounts on accounts.account_sid = t.account_sid
      left join service_providers on service_providers.service_provider_sid = t.service_provider_sid`,
    toContractRows: addRouteCounts,
  })

  /** A hash of an LCR and its routes. Computed on demand, because other programs write these tables too. */
  const computeVersion = async (lcr_sid: string, connection: Connection = db): Promise<string> => {
    const lcrRows = await connection.selectFrom('lcr').selectAll().where('lcr_sid', '=', lcr_sid).execute()
    const content = JSON.stringify([lcrRows, await lcrRoutes.listByLcr(lcr_sid, connection)])
    return createHash('sha256').update(content).digest('hex').slice(0, versionLength)
  }

  return {
    ...baseRepository,
    computeVersion,

    /** Whether the owner has another LCR. */
    async ownerHasOtherLcr(
      column: 'account_sid' | 'service_provider_sid',
      sid: string,
      exceptSid: string,
      tx: Connection,
    ): Promise<boolean> {
      // The LCR of an account may also name the provider. It does not count as the provider's own.
      const ownerCondition = column === 'account_sid' ? sql`1 = 1` : sql`nullif(account_sid, '') is null`
      const { rows: lcrRows } = await sql<Row>`select lcr_sid from lcr where ${sql.ref(column)} = ${sid}
        and ${ownerCondition} and lcr_sid <> ${exceptSid} limit 1`.execute(tx)
      return lcrRows.length > 0
    },

    /** Updates the routes in the list that have a SID, and adds the others. */
    saveRoutes: (lcr_sid: string, routeDrafts: RouteDraft[]): Promise<void> =>
      withTransaction(db, async (tx) => {
        await baseRepository.lockRow(lcr_sid, tx)
        await lcrRoutes.saveList(lcr_sid, routeDrafts, { replace: false }, tx)
      }),

    async insertWithRoutes(
      values: Row & { lcr_sid: string },
      routeDrafts: RouteDraft[] | undefined,
      check: WriteCheck,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        await check(tx)
        await baseRepository.insert(values, tx)
        if (routeDrafts) await lcrRoutes.saveList(values.lcr_sid, routeDrafts, { replace: true }, tx)
      })
    },

    /** Replaces the routes if there is a list of them. Throws 409 if the LCR no longer has `expectedVersion`. */
    async updateWithRoutes(
      lcr_sid: string,
      values: Row,
      { routeDrafts, expectedVersion }: { routeDrafts?: RouteDraft[]; expectedVersion?: string },
      check: WriteCheck,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        await baseRepository.lockRow(lcr_sid, tx)
        await check(tx)
        if (expectedVersion !== undefined && expectedVersion !== (await computeVersion(lcr_sid, tx)))
          throw conflict(messages.changedMeanwhile)
        await baseRepository.update(lcr_sid, values, tx)
        if (routeDrafts) await lcrRoutes.saveList(lcr_sid, routeDrafts, { replace: true }, tx)
      })
    },

    async removeWithRoutes(lcr_sid: string): Promise<void> {
      await withTransaction(db, async (tx) => {
        await lcrRoutes.removeByLcr(lcr_sid, tx)
        await tx.deleteFrom('lcr').where('lcr_sid', '=', lcr_sid).execute()
      })
    },
  }
}

export type Lcrs = ReturnType<typeof createLcrRepository>
