import { randomUUID } from 'node:crypto'
import type { LcrCarrierSetEntry, RouteList } from '@trunkline/contract/shapes/lcr'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'

type RouteEntry = RouteList[number]['lcr_carrier_set_entries'][number]
type EntryDraft = Pick<RouteEntry, 'voip_carrier_sid' | 'workload' | 'priority'>

const defaultWorkload = 1
const defaultPriority = 0

/**
 * Removes these entries as defaults of their LCRs. Call it before the entries leave their LCRs or are deleted. Finds the
 * LCRs without locks and updates them by primary key: on MySQL, a search within the update would lock every LCR of a
 * small table.
 */
const clearDefaults = async (entrySids: string[], connection: Connection): Promise<void> => {
  if (entrySids.length === 0) return
  const lcrRows = await connection
    .selectFrom('lcr')
    .select('lcr_sid')
    .where('default_carrier_set_entry_sid', 'in', entrySids)
    .execute()
  for (const { lcr_sid } of lcrRows)
    await connection
      .updateTable('lcr')
      .set({ default_carrier_set_entry_sid: null })
      .where('lcr_sid', '=', lcr_sid)
      .where('default_carrier_set_entry_sid', 'in', entrySids)
      .execute()
}

/** The carriers of LCR routes. */
export const createLcrCarrierSetEntryRepository = ({ database: { db } }: Store) => {
  const insert = async (lcr_route_sid: string, draft: EntryDraft, connection: Connection = db): Promise<string> => {
    const lcr_carrier_set_entry_sid = randomUUID()
    const { voip_carrier_sid, workload = defaultWorkload, priority = defaultPriority } = draft
    await connection
      .insertInto('lcr_carrier_set_entry')
      .values({ lcr_carrier_set_entry_sid, lcr_route_sid, voip_carrier_sid, workload, priority })
      .execute()
    return lcr_carrier_set_entry_sid
  }

  const update = async (
    { lcr_carrier_set_entry_sid, ...columns }: LcrCarrierSetEntry,
    connection: Connection = db,
  ): Promise<void> => {
    await connection
      .updateTable('lcr_carrier_set_entry')
      .set(columns)
      .where('lcr_carrier_set_entry_sid', '=', lcr_carrier_set_entry_sid)
      .execute()
  }

  const removeAll = async (entrySids: string[], connection: Connection): Promise<void> => {
    await clearDefaults(entrySids, connection)
    for (const sid of entrySids)
      await connection.deleteFrom('lcr_carrier_set_entry').where('lcr_carrier_set_entry_sid', '=', sid).execute()
  }

  return {
    insert,
    update,
    clearDefaults,
    removeAll,

    /** Updates an entry and moves it to a route of another LCR. */
    moveToOtherLcr: (entry: LcrCarrierSetEntry): Promise<void> =>
      withTransaction(db, async (tx) => {
        await clearDefaults([entry.lcr_carrier_set_entry_sid], tx)
        await update(entry, tx)
      }),

    remove: (sid: string): Promise<void> => withTransaction(db, (tx) => removeAll([sid], tx)),

    find: (sid: string): Promise<LcrCarrierSetEntry | undefined> =>
      db
        .selectFrom('lcr_carrier_set_entry')
        .selectAll()
        .where('lcr_carrier_set_entry_sid', '=', sid)
        .executeTakeFirst(),

    /** The entries of several routes, in the order of their priority. */
    async listByRoutes(routeSids: string[], connection: Connection = db): Promise<LcrCarrierSetEntry[]> {
      if (routeSids.length === 0) return []
      return connection
        .selectFrom('lcr_carrier_set_entry')
        .selectAll()
        .where('lcr_route_sid', 'in', routeSids)
        .orderBy('priority')
        .orderBy('lcr_carrier_set_entry_sid')
        .execute()
    },

    /** Inserts an entry or, if it has a current row, updates it. Returns its SID. */
    async save(
      lcr_route_sid: string,
      draft: EntryDraft,
      current: LcrCarrierSetEntry | undefined,
      tx: Connection,
    ): Promise<string> {
      if (!current) return insert(lcr_route_sid, draft, tx)
      const { voip_carrier_sid, workload = current.workload, priority = current.priority } = draft
      await update({ ...current, voip_carrier_sid, workload, priority }, tx)
      return current.lcr_carrier_set_entry_sid
    },
  }
}

export type LcrCarrierSetEntries = ReturnType<typeof createLcrCarrierSetEntryRepository>
