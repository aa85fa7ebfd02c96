import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/database'
import type { RecordingEntry } from '../../ports/recording-archive'
import { toPortError } from '../sql/errors'

/** A process that stops renewing its claim has been killed. */
const lifetimeMs = 120_000
const renewalMs = 30_000
/** The same upload may be sent again to another server, because its sender did not get the answer. */
const afterwardsMs = 3_600_000

export interface UploadClaim {
  /** The recording is safe: others are refused for a while, also where they cannot see the file. */
  keep(): Promise<void>
  /** Nothing was kept. */
  release(): Promise<void>
}

/** Claims on uploads in a table, so that only one server takes in a recording. */
export const sqlUploadClaims = ({ db, engine }: Pick<Database, 'db' | 'engine'>, clock: () => number = Date.now) => {
  const unlessThere = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`

  const keyOf = ({ account_sid, name: { call_sid, yyyy, mm, dd } }: RecordingEntry) => ({
    account_sid: account_sid.toLowerCase(),
    call_sid,
    day: `${yyyy}/${mm}/${dd}`,
  })

  const rowOf = (recording: RecordingEntry) => {
    const { account_sid, call_sid, day } = keyOf(recording)
    return sql`account_sid = ${account_sid} and call_sid = ${call_sid} and day = ${day}`
  }

  return {
    /** Undefined where another upload of the recording has the claim. */
    async claim(recording: RecordingEntry): Promise<UploadClaim | undefined> {
      const { account_sid, call_sid, day } = keyOf(recording)
      const upload_sid = randomUUID()
      const row = sql`${rowOf(recording)} and upload_sid = ${upload_sid}`
      const extend = (lifetime: number) =>
        sql`update trunkline_upload_claims set until = ${clock() + lifetime} where ${row}`.execute(db)
      try {
        await sql`delete from trunkline_upload_claims where ${rowOf(recording)} and until < ${clock()}`.execute(db)
        const { numAffectedRows } = await sql`${unlessThere} into trunkline_upload_claims
          (account_sid, call_sid, day, upload_sid, until)
          values (${account_sid}, ${call_sid}, ${day}, ${upload_sid}, ${clock() + lifetimeMs})`.execute(db)
        if (!numAffectedRows) return undefined
      } catch (error) {
        throw toPortError(error)
      }
      // a renewal that fails is followed by another one before the claim expires
      const timer = setInterval(() => void extend(lifetimeMs).catch(() => undefined), renewalMs).unref()
      return {
        async keep() {
          clearInterval(timer)
          await extend(afterwardsMs)
        },
        async release() {
          clearInterval(timer)
          await sql`delete from trunkline_upload_claims where ${row}`.execute(db)
        },
      }
    },

    /** Once the recording is deleted it may be uploaded again. */
    async drop(recording: RecordingEntry): Promise<void> {
      await sql`delete from trunkline_upload_claims where ${rowOf(recording)}`.execute(db)
    },

    async forget(account_sid: string): Promise<void> {
      await sql`delete from trunkline_upload_claims where account_sid = ${account_sid.toLowerCase()}`.execute(db)
    },

    async prune(): Promise<void> {
      await sql`delete from trunkline_upload_claims where until < ${clock()}`.execute(db)
    },
  }
}

export type UploadClaims = ReturnType<typeof sqlUploadClaims>
