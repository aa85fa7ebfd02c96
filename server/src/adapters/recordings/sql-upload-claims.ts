import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/database'
import type { StoredRecording } from '../../ports/recording-store'
import { toPortError } from '../sql/port-errors'

/** A claim expires if its process crashes and stops renewing it. */
const claimLifetimeMs = 120_000
const renewalIntervalMs = 30_000
/** A completed claim expires after this time: a sender without a response may repeat the upload on another server. */
const completedLifetimeMs = 3_600_000

export interface UploadClaim {
  /** Call this when the recording is stored. Other uploads are refused for a while, even on servers that cannot see the file. */
  complete(): Promise<void>
  /** Call this if nothing was stored. */
  release(): Promise<void>
}

/** Creates upload claims in a table, so that only one server accepts a recording. */
export const createSqlUploadClaims = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  clock: () => number = Date.now,
) => {
  const insertIfAbsent = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`

  const toClaimKey = ({ account_sid, name: { call_sid, yyyy, mm, dd } }: StoredRecording) => ({
    account_sid: account_sid.toLowerCase(),
    call_sid,
    day: `${yyyy}/${mm}/${dd}`,
  })

  const buildRecordingCondition = (recording: StoredRecording) => {
    const { account_sid, call_sid, day } = toClaimKey(recording)
    return sql`account_sid = ${account_sid} and call_sid = ${call_sid} and day = ${day}`
  }

  return {
    /** Claims a recording; undefined if another upload has claimed it. */
    async claim(recording: StoredRecording): Promise<UploadClaim | undefined> {
      const { account_sid, call_sid, day } = toClaimKey(recording)
      const upload_sid = randomUUID()
      const claimCondition = sql`${buildRecordingCondition(recording)} and upload_sid = ${upload_sid}`
      const extendClaim = (extensionMs: number) =>
        sql`update trunkline_upload_claims set until = ${clock() + extensionMs} where ${claimCondition}`.execute(db)
      try {
        await sql`delete from trunkline_upload_claims where ${buildRecordingCondition(recording)} and until < ${clock()}`.execute(
          db,
        )
        const { numAffectedRows } = await sql`${insertIfAbsent} into trunkline_upload_claims
          (account_sid, call_sid, day, upload_sid, until)
          values (${account_sid}, ${call_sid}, ${day}, ${upload_sid}, ${clock() + claimLifetimeMs})`.execute(db)
        if (!numAffectedRows) return undefined
      } catch (error) {
        throw toPortError(error)
      }
      // A failed renewal is followed by another one before the claim expires.
      const timer = setInterval(
        () => void extendClaim(claimLifetimeMs).catch(() => undefined),
        renewalIntervalMs,
      ).unref()
      return {
        async complete() {
          clearInterval(timer)
          await extendClaim(completedLifetimeMs)
        },
        async release() {
          clearInterval(timer)
          await sql`delete from trunkline_upload_claims where ${claimCondition}`.execute(db)
        },
      }
    },

    /** Allows the upload of a deleted recording. */
    async remove(recording: StoredRecording): Promise<void> {
      await sql`delete from trunkline_upload_claims where ${buildRecordingCondition(recording)}`.execute(db)
    },

    async removeByAccount(account_sid: string): Promise<void> {
      await sql`delete from trunkline_upload_claims where account_sid = ${account_sid.toLowerCase()}`.execute(db)
    },

    async prune(): Promise<void> {
      await sql`delete from trunkline_upload_claims where until < ${clock()}`.execute(db)
    },
  }
}

export type UploadClaims = ReturnType<typeof createSqlUploadClaims>
