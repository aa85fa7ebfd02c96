import type { Database } from '../../../db/database'
import type { Connection } from '../../../db/repository'
import { forTrunks, sqlCounts } from './hour-counts'
import { kindOfRow, type Numbered } from './call-block'
import { callPacks } from './call-index'

/** What is kept of a call besides its row, by which it is found: its numbers in packs, and the counts of its trunk. */
export const sqlEntries = (database: Pick<Database, 'engine'>) => {
  const packs = callPacks(database)
  const count = sqlCounts(database)
  const trunks = (rows: readonly Numbered[], by: 1 | -1) =>
    rows.flatMap((row) => forTrunks({ ...row, kind: kindOfRow(row) }, by))

  return {
    /** Enters calls that are not entered. */
    enter: async (trx: Connection, rows: readonly Numbered[]): Promise<void> => {
      await packs.add(trx, rows)
      await count(trx, trunks(rows, 1))
    },

    /** Takes calls back, by what was known of them. */
    takeBack: async (trx: Connection, rows: readonly Numbered[]): Promise<void> => {
      for (const row of rows) await packs.remove(trx, row)
      await count(trx, trunks(rows, -1))
    },
  }
}

export type CallEntries = ReturnType<typeof sqlEntries>
