import { char, oneOf, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/** The stored recordings, in the data folder or in the bucket of the account: one file or object per row. */
export const trunklineRecordings = table('trunkline_recordings', {
  account_sid: sid().primary(),
  call_sid: char(64).primary(),
  /** The day on which the call started, as in the URL of the recording: `2026/11/22`. */
  day: char(10).primary(),
  format: oneOf('mp3', 'wav'),
})

export const createdTables = [trunklineRecordings]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
