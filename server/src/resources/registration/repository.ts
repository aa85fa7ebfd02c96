import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Tables } from '../../db/schema'
import { createMailedCodes, getResendDelay } from './mailed-codes'

export type Registration = Selectable<Tables['trunkline_registrations']>

export type RegistrationDraft = Pick<
  Registration,
  'user_sid' | 'email' | 'account_sid' | 'service_provider_sid' | 'hashed_password' | 'replaces_users' | 'invite_code'
>

/** Registrations that nobody completed are deleted after this time. */
const lifetimeSeconds = 7 * 24 * 3600

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Addresses are compared in lower case, as they are stored. */
const hashEmail = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url')

/** Registrations whose email address is not confirmed. */
export const createRegistrationRepository = ({ database: { db } }: Store, secret: string) => {
  const codes = createMailedCodes(db, { table: 'trunkline_registrations', purpose: 'activation code', secret })

  const find = (user_sid: string, connection: Connection = db): Promise<Registration | undefined> =>
    connection.selectFrom('trunkline_registrations').selectAll().where('user_sid', '=', user_sid).executeTakeFirst()

  return {
    find,

    /** The registration with this address. */
    findByEmail: (email: string): Promise<Registration | undefined> =>
      db
        .selectFrom('trunkline_registrations')
        .selectAll()
        .where('email_hash', '=', hashEmail(email))
        .executeTakeFirst(),

    /**
     * Stores a registration. It replaces the one with the same address, whose sessions end with it. Without a code, no code
     * matches. A registration that replaces users ends with the session in which one of them requested it.
     */
    async start(draft: RegistrationDraft, code: string | undefined, session_sid?: string): Promise<void> {
      const created_at = nowSeconds()
      await db
        .deleteFrom('trunkline_registrations')
        .where('created_at', '<', created_at - lifetimeSeconds)
        .execute()
      await db
        .replaceInto('trunkline_registrations')
        .values({ ...draft, email_hash: hashEmail(draft.email), created_at, ...codes.toColumns(draft.user_sid, code) })
        .execute()
      if (!draft.replaces_users || !session_sid) return
      await sql`delete from trunkline_sign_in_changes
        where user_sid not in (select user_sid from trunkline_registrations)`.execute(db)
      await db.insertInto('trunkline_sign_in_changes').values({ user_sid: draft.user_sid, session_sid }).execute()
    },

    /** Whether the session in which a user requested this registration is still open. */
    async isRequestingSessionOpen({ user_sid }: Registration, tx: Connection): Promise<boolean> {
      const row = await tx
        .selectFrom('trunkline_sign_in_changes as c')
        .innerJoin('trunkline_sessions as s', 's.session_sid', 'c.session_sid')
        .select('c.user_sid')
        .where('c.user_sid', '=', user_sid)
        .where('s.expires_at', '>', nowSeconds())
        .executeTakeFirst()
      return row !== undefined
    },

    getResendDelay,

    /** Replaces the code. False if a parallel request has just done so. */
    async replaceCode({ user_sid, sent_at }: Registration, code: string | undefined): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('trunkline_registrations')
        .set(codes.toColumns(user_sid, code))
        .where('user_sid', '=', user_sid)
        .where('sent_at', '=', sent_at)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },

    /** The registration of this user, if the code is right and may still be used. Counts the attempt. */
    async findByCode(user_sid: string, code: string): Promise<Registration | undefined> {
      const isAllowed = await codes.reserveAttempt(user_sid)
      const registration = await find(user_sid)
      return codes.isMatch(registration, user_sid, code) && isAllowed ? registration : undefined
    },

    /** Deletes the registration with an address whose owner signs in in another way. Its sessions end with it. */
    async discardByEmail(email: string, tx: Connection): Promise<void> {
      await tx.deleteFrom('trunkline_registrations').where('email_hash', '=', hashEmail(email)).execute()
    },

    /** Deletes a registration that has this code. False if a parallel request has just done so, or has replaced the code. */
    async complete({ user_sid, code_hash }: Registration, tx: Connection): Promise<boolean> {
      const { numDeletedRows } = await tx
        .deleteFrom('trunkline_registrations')
        .where('user_sid', '=', user_sid)
        .where('code_hash', '=', code_hash)
        .executeTakeFirst()
      return Number(numDeletedRows) === 1
    },
  }
}

export type Registrations = ReturnType<typeof createRegistrationRepository>
