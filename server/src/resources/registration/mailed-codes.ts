import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection } from '../../db/repository-options'

export const codeLifetimeMinutes = 10
/** How many codes may be tried per mailed code. */
const maxAttempts = 5
/** The shortest time between two codes. */
const resendSeconds = 30

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Stored in place of a code's hash, if no code may match. */
const generateUnusableHash = () => randomBytes(32).toString('base64url')

const isSameHash = (first: string, second: string) =>
  first.length === second.length && timingSafeEqual(Buffer.from(first), Buffer.from(second))

export const generateCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/** The seconds until another code may be sent; 0 if one may be sent now. */
export const getResendDelay = ({ sent_at }: { sent_at: number | string | bigint }): number =>
  Math.max(0, Number(sent_at) + resendSeconds - nowSeconds())

interface MailedCodeOptions {
  table: 'trunkline_registrations' | 'trunkline_sign_in_codes'
  /** Part of the key of the hashes. */
  purpose: string
  secret: string
}

/** Codes in a table with one row per user. They are stored as keyed hashes: a short code is easy to guess from its hash. */
export const createMailedCodes = (db: Connection, { table, purpose, secret }: MailedCodeOptions) => {
  const hashCode = (user_sid: string, code: string) =>
    createHmac('sha256', `${purpose} ${secret}`).update(`${user_sid}\n${code}`).digest('base64url')

  return {
    /** The columns of a new code. Without a code, no code matches. */
    toColumns: (user_sid: string, code: string | undefined) => ({
      code_hash: code === undefined ? generateUnusableHash() : hashCode(user_sid, code),
      expires_at: nowSeconds() + codeLifetimeMinutes * 60,
      attempts: 0,
      sent_at: nowSeconds(),
    }),

    /** Counts an attempt. False if the code has expired or was tried too often. */
    async reserveAttempt(user_sid: string): Promise<boolean> {
      const { numAffectedRows } = await sql`update ${sql.table(table)} set attempts = attempts + 1
        where user_sid = ${user_sid} and attempts < ${maxAttempts} and expires_at > ${nowSeconds()}`.execute(db)
      return Number(numAffectedRows) === 1
    },

    /** Whether the row of the user has this code. */
    isMatch: (row: { code_hash: string } | undefined, user_sid: string, code: string): boolean =>
      isSameHash(row?.code_hash ?? generateUnusableHash(), hashCode(user_sid, code)),
  }
}
