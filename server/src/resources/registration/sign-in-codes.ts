import type { Store } from '../../db/repository'
import { createMailedCodes, getResendDelay } from './mailed-codes'

/** Codes with which users of identity providers confirm that they change how to sign in. */
export const createSignInCodes = ({ database: { db } }: Store, secret: string) => {
  const codes = createMailedCodes(db, { table: 'trunkline_sign_in_codes', purpose: 'sign-in code', secret })

  const find = (user_sid: string) =>
    db.selectFrom('trunkline_sign_in_codes').selectAll().where('user_sid', '=', user_sid).executeTakeFirst()

  return {
    /** The seconds until another code may be sent; 0 if one may be sent now. */
    async getResendDelay(user_sid: string): Promise<number> {
      const row = await find(user_sid)
      return row ? getResendDelay(row) : 0
    },

    /** Stores a code. It replaces the previous one. */
    async store(user_sid: string, code: string): Promise<void> {
      await db
        .replaceInto('trunkline_sign_in_codes')
        .values({ user_sid, ...codes.toColumns(user_sid, code) })
        .execute()
    },

    /** Uses a code up. False if it is wrong, used or expired; of two parallel requests with it, one succeeds. */
    async use(user_sid: string, code: string): Promise<boolean> {
      const isAllowed = await codes.reserveAttempt(user_sid)
      const row = await find(user_sid)
      if (!codes.isMatch(row, user_sid, code) || !isAllowed || !row) return false
      const { numDeletedRows } = await db
        .deleteFrom('trunkline_sign_in_codes')
        .where('user_sid', '=', user_sid)
        .where('code_hash', '=', row.code_hash)
        .executeTakeFirst()
      return Number(numDeletedRows) === 1
    },
  }
}
