import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/database'
import type { StoredRecording } from '../../ports/recording-store'
import { toPortError } from '../sql/port-errors'

/** A claim expires if its process crashes and stops renewing it. */
const lifetimeMs = 120_000
const renewalMs = 30_000
/** A completed claim is kept this long: a sender that got no response may repeat the upload on another server. */
const completedMs = 3_600_000

export interface UploadClaim {
  /** The recording is stored. Other uploads are refused for a while, even on servers that cannot see the file. */
  complete(): Promise<void>
  /** Nothing was stored. */
  release(): Promise<void>
}

/** Claims uploads in a table, so that only one server accepts a recording. */
export const sqlUploadClaims = ({ db, engine }: Pick<Database, 'db' | 'engine'>, clock: () => number = Date.now) => {
  const insertIfAbsent = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`

  const keyOf = ({ account_sid, name: { call_sid, yyyy, mm, dd } }: StoredRecording) => ({
    account_sid: account_sid.toLowerCase(),
    call_sid,
    day: `${yyyy}/${mm}/${dd}`,
  })

  const rowOf = (recording: StoredRecording) => {
    const { account_sid, call_sid, day } = keyOf(recording)
    return sql`account_sid = ${account_sid} and call_sid = ${call_sid} and day = ${day}`
  }

  return {
    /** Undefined if another upload has claimed the recording. */
    async claim(recording: StoredRecording): Promise<UploadClaim | undefined> {
      const { account_sid, call_sid, day } = keyOf(recording)
      const upload_sid = randomUUID()
      const row = sql`${rowOf(recording)} and upload_sid = ${upload_sid}`
      const extend = (lifetime: number) =>
        sql`update trunkline_upload_claims set until = ${clock() + lifetime} where ${row}`.execute(db)
      try {
        await sql`delete from trunkline_upload_claims where ${rowOf(recording)} and until < ${clock()}`.execute(db)
        const { numAffectedRows } = await sql`${insertIfAbsent} into trunkline_upload_claims
          (account_sid, call_sid, day, upload_sid, until)
          values (${account_sid}, ${call_sid}, ${day}, ${upload_sid}, ${clock() + lifetimeMs})`.execute(db)
        if (!numAffectedRows) return undefined
      } catch (error) {
        throw toPortError(error)
      }
      // A failed renewal is followed by another one before the claim expires.
      const timer = setInterval(() => void extend(lifetimeMs).catch(() => undefined), renewalMs).unref()
      return {
        async complete() {
          clearInterval(timer)
          await extend(completedMs)
        },
        async release() {
          clearInterval(timer)
          await sql`delete from trunkline_upload_claims where ${row}`.execute(db)
        },
      }
    },

    /** Allows the upload of a deleted recording. */
    async remove(recording: StoredRecording): Promise<void> {
      await sql`delete from trunkline_upload_claims where ${rowOf(recording)}`.execute(db)
    },

    async removeAccount(account_sid: string): Promise<void> {
      await sql`delete from trunkline_upload_claims where account_sid = ${account_sid.toLowerCase()}`.execute(db)
    },

    async prune(): Promise<void> {
      await sql`delete from trunkline_upload_claims where until < ${clock()}`.execute(db)
    },
  }
}

export type UploadClaims = ReturnType<typeof sqlUploadClaims>
