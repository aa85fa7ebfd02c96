import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { equalsText, type Connection, type Store } from '../../db/repository'
import { withTransaction } from '../../db/transaction'
import { shortId } from '../../secrets/ids'
import type { StoredUser, Users } from '../users/public'

const linkLifetimeSeconds = 24 * 3600
const maxMailsPerHour = 5

/** The address that the platform's own installer gives the first administrator. It belongs to a stranger. */
const installerEmail = 'joe@foo.bar'

const hash = (link: string) => createHash('sha256').update(link).digest('base64url')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** An address that mail may be sent to: not the empty one of a new administrator, and not the installer's. */
export const usableEmail = (email: string): string | undefined =>
  email.includes('@') && email.toLowerCase() !== installerEmail ? email : undefined

/** What a changed e-mail address asks for. */
export interface EmailChangeStarted {
  /** The link to confirm with; absent when the user has had enough mail for now. */
  link?: string
  /** The address that is still used for resets, and is told. */
  confirmedEmail?: string
}

/**
 * E-mail addresses that users gave themselves. `users.email` shows the new address at once, as clients expect; a password
 * is reset with the confirmed one only. A row whose `new_email` is no longer the user's address has no effect.
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
    /** The address that waits for its confirmation. */
    async pending(user: StoredUser, connection: Connection = db): Promise<string | undefined> {
      const row = await findRow(user, connection)
      return row && row.new_email !== row.confirmed_email ? row.new_email : undefined
    },

    /** The address that links for a new password are sent to. */
    async recoveryEmail(user: StoredUser, connection: Connection = db): Promise<string | undefined> {
      const row = await findRow(user, connection)
      return usableEmail(row ? row.confirmed_email : user.email)
    },

    /** Has the user neither an address for resets nor one that waits for its confirmation? */
    async isMissing(user: StoredUser): Promise<boolean> {
      return !(await this.recoveryEmail(user)) && !(await this.pending(user))
    },

    /** The users whose password is reset with this address. */
    async usersOf(email: string): Promise<StoredUser[]> {
      const byEmail = await users.byEmail(email)
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

    /** Notes an address that a user gave itself. To be called in the transaction that stores it, before it does. */
    async start(current: StoredUser, email: string, tx: Connection): Promise<EmailChangeStarted> {
      const row = await findRow(current, tx)
      const confirmedEmail = usableEmail(row ? row.confirmed_email : current.email)
      const now = nowSeconds()
      const mailCount = row && row.mails_since > now - 3600 ? row : { mails_sent: 0, mails_since: now }
      const isChange = email !== confirmedEmail
      const link = shortId()
      await discard(current.user_sid, tx)
      // Kept for the way back as well: its count of messages must not start again.
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

    /** The user that a link belongs to, while the link is good. */
    async userOf(link: string): Promise<StoredUser | undefined> {
      const row = await db
        .selectFrom('trunkline_email_changes')
        .select(['user_sid', 'new_email'])
        .where('link_hash', '=', hash(link))
        .where('expires_at', '>', nowSeconds())
        .executeTakeFirst()
      const user = row && (await users.find({ all: true }, row.user_sid))
      return user?.email === row?.new_email ? user : undefined
    },

    /** Confirms the address and uses the link up; false when the link has just been used or replaced. */
    async confirm(link: string, user: StoredUser): Promise<boolean> {
      return withTransaction(db, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('trunkline_email_changes')
          .where('user_sid', '=', user.user_sid)
          .where('link_hash', '=', hash(link))
          .executeTakeFirst()
        if (Number(numDeletedRows) !== 1) return false
        await users.change(user.user_sid, { email_validated: 1 }, tx)
        return true
      })
    },

    /** Goes back to the confirmed address, when the password was reset with it: the change may not have been the user's. */
    async revert(user: StoredUser, tx: Connection): Promise<void> {
      const row = await findRow(user, tx)
      if (!row?.confirmed_email || (await users.isTaken('email', row.confirmed_email, user.user_sid, tx))) return
      await users.change(user.user_sid, { email: row.confirmed_email }, tx)
      await discard(user.user_sid, tx)
    },

    /** Forgets a change: somebody else has set the address, or the user is gone. */
    discard,
  }
}

export type EmailChanges = ReturnType<typeof emailChanges>
