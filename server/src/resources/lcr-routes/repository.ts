import { randomUUID } from 'node:crypto'
import type { LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { defaultRoutePriority } from '@trunkline/contract/telephony/lcr'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import type { LcrCarrierSetEntries } from '../lcr-carrier-set-entries/public'

export type RouteDraft = RouteList[number]
type RouteRow = Omit<LcrRoute, 'lcr_carrier_set_entries'>
type RouteColumns = Omit<RouteRow, 'lcr_route_sid'>

const findRows = (lcr_sid: string, connection: Connection): Promise<RouteRow[]> =>
  connection
    .selectFrom('lcr_routes')
    .selectAll()
    .where('lcr_sid', '=', lcr_sid)
    .orderBy('priority')
    .orderBy('lcr_route_sid')
    .execute()

const routeSidsOf = (rows: RouteRow[]) => rows.map(({ lcr_route_sid }) => lcr_route_sid)
const entrySidsOf = (entries: LcrCarrierSetEntry[]) =>
  entries.map(({ lcr_carrier_set_entry_sid }) => lcr_carrier_set_entry_sid)

/** Adds the carriers to the routes. */
const attachEntries = async (
  rows: RouteRow[],
  entries: LcrCarrierSetEntries,
  connection: Connection,
): Promise<LcrRoute[]> => {
  const routes = new Map(
    rows.map((row): [string, LcrRoute] => [row.lcr_route_sid, { ...row, lcr_carrier_set_entries: [] }]),
  )
  for (const entry of await entries.listByRoutes([...routes.keys()], connection))
    routes.get(entry.lcr_route_sid)?.lcr_carrier_set_entries.push(entry)
  return [...routes.values()]
}

/** Returns a value and removes it from the map, so that a list that repeats a SID changes the stored row only once. */
const takeValue = <Value>(valuesBySid: Map<string, Value>, sid: string | null | undefined): Value | undefined => {
  const value = valuesBySid.get(sid ?? '')
  valuesBySid.delete(sid ?? '')
  return value
}

/**
 * Saves a route with its carriers. Returns the SIDs of the saved carriers, and of those stored carriers that are missing
 * from the draft.
 */
const saveRoute = async (
  lcr_sid: string,
  draft: RouteDraft,
  current: LcrRoute | undefined,
  { entries, tx }: { entries: LcrCarrierSetEntries; tx: Connection },
) => {
  const { regex, priority, description = current?.description ?? null } = draft
  const lcr_route_sid = current?.lcr_route_sid ?? randomUUID()
  const columns = { regex, priority, description }
  await (
    current
      ? tx.updateTable('lcr_routes').set(columns).where('lcr_route_sid', '=', lcr_route_sid)
      : tx.insertInto('lcr_routes').values({ ...columns, lcr_sid, lcr_route_sid })
  ).execute()
  const remainingEntries = new Map(
    current?.lcr_carrier_set_entries.map((entry) => [entry.lcr_carrier_set_entry_sid, entry]),
  )
  const savedEntrySids: string[] = []
  for (const entryDraft of draft.lcr_carrier_set_entries) {
    const currentEntry = takeValue(remainingEntries, entryDraft.lcr_carrier_set_entry_sid)
    savedEntrySids.push(await entries.save(lcr_route_sid, entryDraft, currentEntry, tx))
  }
  return { savedEntrySids, missingEntrySids: [...remainingEntries.keys()] }
}

/** The routes of LCRs, with their carriers. */
export const createLcrRouteRepository = ({ database: { db } }: Store, entries: LcrCarrierSetEntries) => {
  const listByLcr = async (lcr_sid: string, connection: Connection = db): Promise<LcrRoute[]> =>
    attachEntries(await findRows(lcr_sid, connection), entries, connection)

  const update = async (lcr_route_sid: string, columns: RouteColumns, connection: Connection = db): Promise<void> => {
    await connection.updateTable('lcr_routes').set(columns).where('lcr_route_sid', '=', lcr_route_sid).execute()
  }

  const removeAll = async (routeSids: string[], tx: Connection): Promise<void> => {
    if (routeSids.length === 0) return
    await entries.removeAll(entrySidsOf(await entries.listByRoutes(routeSids, tx)), tx)
    for (const sid of routeSids) await tx.deleteFrom('lcr_routes').where('lcr_route_sid', '=', sid).execute()
  }

  return {
    listByLcr,

    async find(lcr_route_sid: string): Promise<LcrRoute | undefined> {
      const rows = await db.selectFrom('lcr_routes').selectAll().where('lcr_route_sid', '=', lcr_route_sid).execute()
      return (await attachEntries(rows, entries, db))[0]
    },

    /** Inserts a route without carriers. */
    async insert(row: RouteRow): Promise<void> {
      await db.insertInto('lcr_routes').values(row).execute()
    },

    /** Updates a route without its carriers. */
    update,

    /** Updates a route and moves it with its carriers to another LCR. */
    moveToOtherLcr: (lcr_route_sid: string, columns: RouteColumns): Promise<void> =>
      withTransaction(db, async (tx) => {
        await entries.clearDefaults(entrySidsOf(await entries.listByRoutes([lcr_route_sid], tx)), tx)
        await update(lcr_route_sid, columns, tx)
      }),

    remove: (lcr_route_sid: string): Promise<void> => withTransaction(db, (tx) => removeAll([lcr_route_sid], tx)),

    async removeByLcr(lcr_sid: string, tx: Connection): Promise<void> {
      await removeAll(routeSidsOf(await findRows(lcr_sid, tx)), tx)
    },

    /**
     * Updates the routes in the list that have a SID and adds the others. With `replace`, removes the LCR's routes and
     * carriers that are missing from the list. The first carrier of the route with priority 9999 becomes the default.
     */
    async saveList(lcr_sid: string, drafts: RouteDraft[], { replace }: { replace: boolean }, tx: Connection) {
      const remainingRoutes = new Map((await listByLcr(lcr_sid, tx)).map((route) => [route.lcr_route_sid, route]))
      for (const draft of drafts) {
        const currentRoute = takeValue(remainingRoutes, draft.lcr_route_sid)
        const { savedEntrySids, missingEntrySids } = await saveRoute(lcr_sid, draft, currentRoute, { entries, tx })
        if (draft.priority === defaultRoutePriority)
          await tx
            .updateTable('lcr')
            .set({ default_carrier_set_entry_sid: savedEntrySids[0] ?? null })
            .where('lcr_sid', '=', lcr_sid)
            .execute()
        if (replace) await entries.removeAll(missingEntrySids, tx)
      }
      if (replace) await removeAll([...remainingRoutes.keys()], tx)
    },
  }
}

export type LcrRoutes = ReturnType<typeof createLcrRouteRepository>
