import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr, LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { defaultPriority } from '@trunkline/contract/telephony/lcr'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { conflict } from '../../http/problem'

type RouteInput = RouteList[number]
type EntryInput = RouteInput['lcr_carrier_set_entries'][number]

type Check = (tx: Connection) => Promise<void>

/** Adds the number of routes to each LCR, with one query per list. */
const withRouteCounts = async (rows: Row[], connection: Connection): Promise<Row[]> => {
  if (rows.length === 0) return rows
  const counts = await sql<{
    lcr_sid: string
    routes: number | string
  }>`select lcr_sid, count(*) as routes from lcr_routes
    where lcr_sid in (${sql.join(rows.map((row) => row.lcr_sid))}) group by lcr_sid`.execute(connection)
  const countBySid = new Map(counts.rows.map(({ lcr_sid, routes }) => [lcr_sid, Number(routes)]))
  return rows.map((row) => ({
    ...row,
    account_sid: row.account_sid || null,
    number_routes: countBySid.get(row.lcr_sid as string) ?? 0,
  }))
}

/** Adds the carriers to each route. */
const withEntries = (
  routes: Omit<LcrRoute, 'lcr_carrier_set_entries'>[],
  entries: LcrCarrierSetEntry[],
): LcrRoute[] => {
  const entriesByRoute = new Map<string, LcrCarrierSetEntry[]>(routes.map(({ lcr_route_sid }) => [lcr_route_sid, []]))
  for (const findEntry of entries) entriesByRoute.get(findEntry.lcr_route_sid)?.push(findEntry)
  return routes.map((findRoute) => ({
    ...findRoute,
    lcr_carrier_set_entries: entriesByRoute.get(findRoute.lcr_route_sid) ?? [],
  }))
}

export const lcrs = (store: Store) => {
  const { db } = store.database

  const entriesOf = (route_sids: string[], connection: Connection = db) =>
    route_sids.length === 0
      ? Promise.resolve([])
      : connection
          .selectFrom('lcr_carrier_set_entry')
          .selectAll()
          .where('lcr_route_sid', 'in', route_sids)
          .orderBy('priority')
          .orderBy('lcr_carrier_set_entry_sid')
          .execute()

  const routesOf = (lcr_sid: string, connection: Connection = db) =>
    connection
      .selectFrom('lcr_routes')
      .selectAll()
      .where('lcr_sid', '=', lcr_sid)
      .orderBy('priority')
      .orderBy('lcr_route_sid')
      .execute()

  /**
   * Clears the default entry of LCRs whose entry will be deleted. Finds the LCRs without locks and updates them by
   * primary key: a search within the update would lock every LCR on MySQL while there are only a few.
   */
  const clearDefault = async (entries: string[], connection: Connection) => {
    const referencing = await connection
      .selectFrom('lcr')
      .select('lcr_sid')
      .where('default_carrier_set_entry_sid', 'in', entries)
      .execute()
    for (const { lcr_sid } of referencing)
      await connection
        .updateTable('lcr')
        .set({ default_carrier_set_entry_sid: null })
        .where('lcr_sid', '=', lcr_sid)
        .where('default_carrier_set_entry_sid', 'in', entries)
        .execute()
  }

  const deleteEntries = async (entries: string[], connection: Connection) => {
    if (entries.length === 0) return
    await clearDefault(entries, connection)
    for (const sid of entries)
      await connection.deleteFrom('lcr_carrier_set_entry').where('lcr_carrier_set_entry_sid', '=', sid).execute()
  }

  const deleteRoutes = async (routes: string[], connection: Connection) => {
    if (routes.length === 0) return
    const entries = await entriesOf(routes, connection)
    await deleteEntries(
      entries.map(({ lcr_carrier_set_entry_sid }) => lcr_carrier_set_entry_sid),
      connection,
    )
    for (const sid of routes) await connection.deleteFrom('lcr_routes').where('lcr_route_sid', '=', sid).execute()
  }

  /** Writes one carrier of a route and returns its SID. */
  const saveEntry = async (
    lcr_route_sid: string,
    { voip_carrier_sid, workload, priority }: EntryInput,
    current: LcrCarrierSetEntry | undefined,
    tx: Connection,
  ) => {
    const defaults = current ?? { workload: 1, priority: 0 }
    const columns = {
      voip_carrier_sid,
      workload: workload ?? defaults.workload,
      priority: priority ?? defaults.priority,
    }
    const lcr_carrier_set_entry_sid = current?.lcr_carrier_set_entry_sid ?? randomUUID()
    const entries = 'lcr_carrier_set_entry'
    await (
      current
        ? tx.updateTable(entries).set(columns).where('lcr_carrier_set_entry_sid', '=', lcr_carrier_set_entry_sid)
        : tx.insertInto(entries).values({ ...columns, lcr_carrier_set_entry_sid, lcr_route_sid })
    ).execute()
    return lcr_carrier_set_entry_sid
  }

  /**
   * Writes a route and its carriers. Returns its SID, the SIDs of its saved carriers and those of its previous
   * carriers.
   */
  const saveRoute = async (lcr_sid: string, input: RouteInput, storedRoute: LcrRoute | undefined, tx: Connection) => {
    const { regex, priority, description = storedRoute?.description ?? null } = input
    const lcr_route_sid = storedRoute?.lcr_route_sid ?? randomUUID()
    const values = { regex, priority, description }
    await (
      storedRoute
        ? tx.updateTable('lcr_routes').set(values).where('lcr_route_sid', '=', lcr_route_sid)
        : tx.insertInto('lcr_routes').values({ ...values, lcr_sid, lcr_route_sid })
    ).execute()
    const storedEntries = new Map(
      storedRoute?.lcr_carrier_set_entries.map((entry) => [entry.lcr_carrier_set_entry_sid, entry]),
    )
    const savedSids: string[] = []
    for (const entry of input.lcr_carrier_set_entries)
      savedSids.push(
        await saveEntry(lcr_route_sid, entry, storedEntries.get(entry.lcr_carrier_set_entry_sid ?? ''), tx),
      )
    return { lcr_route_sid, savedEntrySids: savedSids, previousEntrySids: [...storedEntries.keys()] }
  }

  const routesWithEntries = async (lcr_sid: string, connection: Connection = db): Promise<LcrRoute[]> => {
    const routes = await routesOf(lcr_sid, connection)
    const entries = await entriesOf(
      routes.map(({ lcr_route_sid }) => lcr_route_sid),
      connection,
    )
    return withEntries(routes, entries)
  }

  const computeVersion = async (lcr_sid: string, connection: Connection = db): Promise<string> => {
    const lcrRows = await connection.selectFrom('lcr').selectAll().where('lcr_sid', '=', lcr_sid).execute()
    return createHash('sha256')
      .update(JSON.stringify([lcrRows, await routesWithEntries(lcr_sid, connection)]))
      .digest('hex')
      .slice(0, 32)
  }

  /**
   * With `replace`, deletes routes and carriers that are missing from the list. The route of priority 9999 becomes the
   * default.
   */
  const saveRoutes = async (
    lcr_sid: string,
    inputs: RouteInput[],
    { replace }: { replace: boolean },
    tx: Connection,
  ) => {
    const storedRoutes = new Map((await routesWithEntries(lcr_sid, tx)).map((route) => [route.lcr_route_sid, route]))
    const remainingSids = new Set(storedRoutes.keys())
    for (const input of inputs) {
      const saved = await saveRoute(lcr_sid, input, storedRoutes.get(input.lcr_route_sid ?? ''), tx)
      remainingSids.delete(saved.lcr_route_sid)
      if (input.priority === defaultPriority)
        await tx
          .updateTable('lcr')
          .set({ default_carrier_set_entry_sid: saved.savedEntrySids[0] ?? null })
          .where('lcr_sid', '=', lcr_sid)
          .execute()
      const removedSids = saved.previousEntrySids.filter((sid) => !saved.savedEntrySids.includes(sid))
      if (replace) await deleteEntries(removedSids, tx)
    }
    if (replace) await deleteRoutes([...remainingSids], tx)
  }

  const rows = repository<Lcr>(store, {
    chain: ownerChains.lcr,
    sortableColumns: ['name', 'is_active', 'account_name'],
    sortExpressions: { account_name: sql`coalesce(na.name, np.name)` },
    extraColumns: sql`, na.name as account_name, np.name as service_provider_name`,
    extraJoins: sql`left join accounts na on na.account_sid = t.account_sid
      left join service_providers np on np.service_provider_sid = t.service_provider_sid`,
    present: withRouteCounts,
  })

  return {
    ...rows,

    /** Whether the owner has another LCR. */
    async existsForOwner(
      column: 'account_sid' | 'service_provider_sid',
      sid: string,
      exceptSid: string,
      tx: Connection,
    ): Promise<boolean> {
      const ownerCondition = column === 'account_sid' ? sql`1 = 1` : sql`nullif(account_sid, '') is null`
      const { rows } = await sql<Row>`select lcr_sid from lcr where ${sql.ref(column)} = ${sid} and ${ownerCondition}
        and lcr_sid <> ${exceptSid} limit 1`.execute(tx)
      return rows.length > 0
    },

    routesOf: (lcr_sid: string) => routesWithEntries(lcr_sid),

    async route(lcr_route_sid: string): Promise<LcrRoute | undefined> {
      const routes = await db.selectFrom('lcr_routes').selectAll().where('lcr_route_sid', '=', lcr_route_sid).execute()
      return withEntries(routes, await entriesOf([lcr_route_sid]))[0]
    },

    entry: (sid: string): Promise<LcrCarrierSetEntry | undefined> =>
      db
        .selectFrom('lcr_carrier_set_entry')
        .selectAll()
        .where('lcr_carrier_set_entry_sid', '=', sid)
        .executeTakeFirst(),

    /** A hash of an LCR and its routes. Computed on demand, because other programs write these tables too. */
    version: computeVersion,

    /** Writes routes in one transaction: updates existing routes, adds the others. */
    save: (lcr_sid: string, inputs: RouteInput[]): Promise<void> =>
      withTransaction(db, async (tx) => {
        await rows.lockRow(lcr_sid, tx)
        await saveRoutes(lcr_sid, inputs, { replace: false }, tx)
      }),

    /** Adds an LCR with its routes in one transaction. `check` runs first in the same transaction. */
    async insertWithRoutes(
      values: Row & { lcr_sid: string },
      inputs: RouteInput[] | undefined,
      check: Check,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        await check(tx)
        await rows.insert(values, tx)
        if (inputs) await saveRoutes(values.lcr_sid, inputs, { replace: true }, tx)
      })
      store.listCounts.invalidate('lcr')
    },

    /**
     * Updates an LCR and, if given, replaces its routes in one transaction. Throws 409 if `expectedVersion` is given
     * and the LCR has changed since.
     */
    async updateWithRoutes(
      lcr_sid: string,
      values: Row,
      inputs: RouteInput[] | undefined,
      expectedVersion: string | undefined,
      check: Check,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        await rows.lockRow(lcr_sid, tx)
        await check(tx)
        if (expectedVersion !== undefined && expectedVersion !== (await computeVersion(lcr_sid, tx)))
          throw conflict(messages.changedMeanwhile)
        await rows.update(lcr_sid, values, tx)
        if (inputs) await saveRoutes(lcr_sid, inputs, { replace: true }, tx)
      })
      store.listCounts.invalidate('lcr')
    },

    removeRoute: (lcr_route_sid: string): Promise<void> =>
      withTransaction(db, (tx) => deleteRoutes([lcr_route_sid], tx)),

    removeEntry: (sid: string): Promise<void> => withTransaction(db, (tx) => deleteEntries([sid], tx)),

    /** Deletes an LCR with all its routes in one transaction. */
    async removeWithRoutes(lcr_sid: string): Promise<void> {
      await withTransaction(db, async (tx) => {
        const routes = await routesOf(lcr_sid, tx)
        await deleteRoutes(
          routes.map(({ lcr_route_sid }) => lcr_route_sid),
          tx,
        )
        await tx.deleteFrom('lcr').where('lcr_sid', '=', lcr_sid).execute()
      })
      store.listCounts.invalidate('lcr')
    },
  }
}

export type Lcrs = ReturnType<typeof lcrs>
