import { randomUUID } from 'node:crypto'
import type { LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { defaultPriority } from '@trunkline/contract/telephony/lcr'
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

/** Saves a route with its carriers. Returns its SID, and the SIDs of its saved and of its previous carriers. */
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
  const currentEntries = new Map(
    current?.lcr_carrier_set_entries.map((entry) => [entry.lcr_carrier_set_entry_sid, entry]),
  )
  const savedEntrySids: string[] = []
  for (const entryDraft of draft.lcr_carrier_set_entries) {
    const currentEntry = currentEntries.get(entryDraft.lcr_carrier_set_entry_sid ?? '')
    savedEntrySids.push(await entries.save(lcr_route_sid, entryDraft, currentEntry, tx))
  }
  return { lcr_route_sid, savedEntrySids, previousEntrySids: [...currentEntries.keys()] }
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
      const currentRoutes = new Map((await listByLcr(lcr_sid, tx)).map((route) => [route.lcr_route_sid, route]))
      const missingRouteSids = new Set(currentRoutes.keys())
      for (const draft of drafts) {
        const currentRoute = currentRoutes.get(draft.lcr_route_sid ?? '')
        const savedRoute = await saveRoute(lcr_sid, draft, currentRoute, { entries, tx })
        missingRouteSids.delete(savedRoute.lcr_route_sid)
        if (draft.priority === defaultPriority)
          await tx
            .updateTable('lcr')
            .set({ default_carrier_set_entry_sid: savedRoute.savedEntrySids[0] ?? null })
            .where('lcr_sid', '=', lcr_sid)
            .execute()
        const missingEntrySids = savedRoute.previousEntrySids.filter((sid) => !savedRoute.savedEntrySids.includes(sid))
        if (replace) await entries.removeAll(missingEntrySids, tx)
      }
      if (replace) await removeAll([...missingRouteSids], tx)
    },
  }
}

export type LcrRoutes = ReturnType<typeof createLcrRouteRepository>
