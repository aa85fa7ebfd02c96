import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { equalsText, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { shortId } from '../../secrets/ids'
import type { StoredUser, Users } from '../users/public'

const linkLifetimeSeconds = 24 * 3600
const maxMailsPerHour = 5

/** The address that the platform's installer gives the first administrator. It belongs to somebody else. */
const installerEmail = 'joe@foo.bar'

const hash = (link: string) => createHash('sha256').update(link).digest('base64url')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Returns the address if mail may be sent to it. The first administrator's address is empty or the installer's. */
export const usableEmail = (email: string): string | undefined =>
  email.includes('@') && email.toLowerCase() !== installerEmail ? email : undefined

/** The mails to send after an email change. */
export interface EmailChangeStarted {
  /** The confirmation link. Absent if the user has received too many mails in the last hour. */
  link?: string
  /** The address that is still used for resets and is notified of the change. */
  confirmedEmail?: string
}

/**
 * Email addresses that users entered themselves. `users.email` has the new address at once, as clients expect, but a
 * password can only be reset with the confirmed address. A row whose `new_email` differs from the user's current
 * address has no effect.
 */
export const emailChanges = ({ database: { db } }: Store, users: Users) => {
  const findRow = async (user: StoredUser, connection: Connection = db) => {
    const row = await connection
      .selectFrom('trunkline_email_changes')
      .selectAll()
      .where('user_sid', '=', user.user_sid)
      .executeTakeFirst()
    return row?.new_email === user.email ? row : undefined
  }

  const discard = async (user_sid: string, connection: Connection): Promise<void> => {
    await connection.deleteFrom('trunkline_email_changes').where('user_sid', '=', user_sid).execute()
  }

  return {
    /** The address that is not confirmed yet. */
    async findPendingEmail(user: StoredUser, connection: Connection = db): Promise<string | undefined> {
      const row = await findRow(user, connection)
      return row && row.new_email !== row.confirmed_email ? row.new_email : undefined
    },

    /** The address that password reset links are sent to. */
    async recoveryEmail(user: StoredUser, connection: Connection = db): Promise<string | undefined> {
      const row = await findRow(user, connection)
      return usableEmail(row ? row.confirmed_email : user.email)
    },

    /** Whether the user has neither a confirmed nor an unconfirmed address. */
    async isMissing(user: StoredUser): Promise<boolean> {
      return !(await this.recoveryEmail(user)) && !(await this.findPendingEmail(user))
    },

    /** The users who can reset their password with this address. */
    async findUsers(email: string): Promise<StoredUser[]> {
      const byEmail = await users.findByEmail(email)
      const rows = await db
        .selectFrom('trunkline_email_changes')
        .select('user_sid')
        .where(sql<boolean>`${equalsText(sql`confirmed_email`, email)}`)
        .limit(5)
        .execute()
      const confirmedUsers = await Promise.all(rows.map(({ user_sid }) => users.find({ all: true }, user_sid)))
      const candidates = new Map(
        [...byEmail, ...confirmedUsers].flatMap((user) => (user ? [[user.user_sid, user] as const] : [])),
      )
      const matches: StoredUser[] = []
      for (const user of candidates.values())
        if ((await this.recoveryEmail(user))?.toLowerCase() === email.toLowerCase()) matches.push(user)
      return matches
    },

    /** Stores an address that a user entered. Call it before `users.email` is written, in the same transaction. */
    async start(current: StoredUser, email: string, tx: Connection): Promise<EmailChangeStarted> {
      const row = await findRow(current, tx)
      const confirmedEmail = usableEmail(row ? row.confirmed_email : current.email)
      const now = nowSeconds()
      const mailCount = row && row.mails_since > now - 3600 ? row : { mails_sent: 0, mails_since: now }
      const isChange = email !== confirmedEmail
      const link = shortId()
      await discard(current.user_sid, tx)
      // Stored even if the user returns to the confirmed address: the count of sent mails must not restart.
      await tx
        .insertInto('trunkline_email_changes')
        .values({
          user_sid: current.user_sid,
          confirmed_email: confirmedEmail ?? '',
          new_email: email,
          link_hash: hash(link),
          expires_at: isChange ? now + linkLifetimeSeconds : 0,
          mails_sent: mailCount.mails_sent + Number(isChange),
          mails_since: mailCount.mails_since,
        })
        .execute()
      return {
        ...(isChange && mailCount.mails_sent < maxMailsPerHour ? { link } : {}),
        ...(confirmedEmail ? { confirmedEmail } : {}),
      }
    },

    /** The user of a link, if the link is valid. */
    async findUser(link: string): Promise<StoredUser | undefined> {
      const row = await db
        .selectFrom('trunkline_email_changes')
        .select(['user_sid', 'new_email'])
        .where('link_hash', '=', hash(link))
        .where('expires_at', '>', nowSeconds())
        .executeTakeFirst()
      const user = row && (await users.find({ all: true }, row.user_sid))
      return user?.email === row?.new_email ? user : undefined
    },

    /** Confirms the address and deletes the link. False if the link has just been used or replaced. */
    async confirm(link: string, user: StoredUser): Promise<boolean> {
      return withTransaction(db, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('trunkline_email_changes')
          .where('user_sid', '=', user.user_sid)
          .where('link_hash', '=', hash(link))
          .executeTakeFirst()
        if (Number(numDeletedRows) !== 1) return false
        await users.update(user.user_sid, { email_validated: 1 }, tx)
        return true
      })
    },

    /** Restores the confirmed address after a password reset, because the change may not have been the user's. */
    async revert(user: StoredUser, tx: Connection): Promise<void> {
      const row = await findRow(user, tx)
      if (!row?.confirmed_email || (await users.isDuplicate('email', row.confirmed_email, user.user_sid, tx))) return
      await users.update(user.user_sid, { email: row.confirmed_email }, tx)
      await discard(user.user_sid, tx)
    },

    /** Deletes a pending change, because another user set the address or the user was deleted. */
    discard,
  }
}

export type EmailChanges = ReturnType<typeof emailChanges>
