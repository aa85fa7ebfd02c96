import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { fullReach } from '@trunkline/contract/policy/can'
import { equalsText, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import { forbidden } from '../../http/problem'
import { generateShortId } from '../../secrets/ids'
import type { StoredUser, Users } from '../users/public'

type EmailChangeRow = Selectable<Tables['trunkline_email_changes']>

const linkLifetimeSeconds = 24 * 3600
const rateLimitSeconds = 3600
const maxMailsPerHour = 5
/** How many users one password reset request can affect. */
const maxUsersPerEmail = 5

/** The address that the platform's installer gives the first administrator. The mailbox belongs to an unrelated person. */
const installerEmail = 'joe@foo.bar'

const hashLink = (link: string) => createHash('sha256').update(link).digest('base64url')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The address, or undefined if no mail may be sent to it: the first administrator has no address or the installer's. */
const toUsableEmail = (email: string): string | undefined =>
  email.includes('@') && email.toLowerCase() !== installerEmail ? email : undefined

/** The contents and recipients of the mails after a change. */
export interface StartedEmailChange {
  /** The confirmation link. Absent if the user has received too many mails in the last hour. */
  link?: string
  /** The address to notify of the change. Until the new one is confirmed, password reset links are sent to it. */
  confirmedEmail?: string
}

/** Finds the stored change of a user. A row has no effect if its `new_email` differs from the user's current address. */
const findChange = async (user: StoredUser, connection: Connection): Promise<EmailChangeRow | undefined> => {
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

/** Finds the addresses to which password reset links are sent, and their users. */
const createRecoveryEmailFinder = (db: Connection, users: Users) => {
  /** The address that password reset links are sent to. */
  const findRecoveryEmail = async (user: StoredUser, connection: Connection = db): Promise<string | undefined> => {
    const change = await findChange(user, connection)
    return toUsableEmail(change ? change.confirmed_email : user.email)
  }

  const findByConfirmedEmail = async (email: string): Promise<(StoredUser | undefined)[]> => {
    const rows = await db
      .selectFrom('trunkline_email_changes')
      .select('user_sid')
      .where(sql<boolean>`${equalsText(sql`confirmed_email`, email)}`)
      .limit(maxUsersPerEmail)
      .execute()
    return Promise.all(rows.map(({ user_sid }) => users.find(fullReach, user_sid)))
  }

  return {
    findRecoveryEmail,

    /** The users who can reset their password with this address. */
    async findUsersByRecoveryEmail(email: string): Promise<StoredUser[]> {
      const candidates = [...(await users.findByEmail(email)), ...(await findByConfirmedEmail(email))]
      const candidatesBySid = new Map(candidates.flatMap((user) => (user ? [[user.user_sid, user] as const] : [])))
      const matches: StoredUser[] = []
      for (const user of candidatesBySid.values())
        if ((await findRecoveryEmail(user))?.toLowerCase() === email.toLowerCase()) matches.push(user)
      return matches
    },
  }
}

/** The links that confirm a new address. The database contains only their hashes. */
const createConfirmationLinks = (db: Connection, users: Users) => ({
  /** The user of a link, if the link is valid. */
  async findUserByLink(link: string): Promise<StoredUser | undefined> {
    const row = await db
      .selectFrom('trunkline_email_changes')
      .select(['user_sid', 'new_email'])
      .where('link_hash', '=', hashLink(link))
      .where('expires_at', '>', nowSeconds())
      .executeTakeFirst()
    const user = row && (await users.find(fullReach, row.user_sid))
    return user?.email === row?.new_email ? user : undefined
  },

  /** Confirms the address and deletes the link. False if the link has just been used or replaced. */
  async confirm(link: string, user: StoredUser): Promise<boolean> {
    return withTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('trunkline_email_changes')
        .where('user_sid', '=', user.user_sid)
        .where('link_hash', '=', hashLink(link))
        .executeTakeFirst()
      if (Number(numDeletedRows) !== 1) return false
      await users.update(user.user_sid, { email_validated: 1 }, tx)
      return true
    })
  },
})

/**
 * Email addresses that users entered themselves. `users.email` has the new address at once, as clients expect, but a
 * password can only be reset with the confirmed address.
 */
export const createEmailChangeRepository = ({ database: { db } }: Store, users: Users) => {
  const recoveryEmailFinder = createRecoveryEmailFinder(db, users)

  /** The address that is not confirmed yet. */
  const findPendingEmail = async (user: StoredUser, connection: Connection = db): Promise<string | undefined> => {
    const change = await findChange(user, connection)
    return change && change.new_email !== change.confirmed_email ? change.new_email : undefined
  }

  return {
    ...recoveryEmailFinder,
    ...createConfirmationLinks(db, users),
    findPendingEmail,

    /** Whether the user has neither a confirmed nor an unconfirmed address. */
    async hasNoEmail(user: StoredUser): Promise<boolean> {
      return !(await recoveryEmailFinder.findRecoveryEmail(user)) && !(await findPendingEmail(user))
    },

    /**
     * Stores an address that a user entered. Call it before `users.email` is written, in the same transaction, and while
     * users are locked.
     */
    async start({ user_sid }: StoredUser, email: string, tx: Connection): Promise<StartedEmailChange> {
      // A parallel request may have changed the address since the caller read the user.
      const current = await users.find(fullReach, user_sid, tx)
      if (!current) throw forbidden()
      const previousChange = await findChange(current, tx)
      const confirmedEmail = toUsableEmail(previousChange ? previousChange.confirmed_email : current.email)
      const now = nowSeconds()
      const { mails_sent, mails_since } =
        previousChange && previousChange.mails_since > now - rateLimitSeconds
          ? previousChange
          : { mails_sent: 0, mails_since: now }
      const needsConfirmation = email !== confirmedEmail
      const link = generateShortId()
      await discard(user_sid, tx)
      // Stored even if the user returns to the confirmed address: the count of sent mails must not restart.
      await tx
        .insertInto('trunkline_email_changes')
        .values({
          user_sid,
          confirmed_email: confirmedEmail ?? '',
          new_email: email,
          link_hash: hashLink(link),
          expires_at: needsConfirmation ? now + linkLifetimeSeconds : 0,
          mails_sent: mails_sent + Number(needsConfirmation),
          mails_since,
        })
        .execute()
      return {
        ...(needsConfirmation && mails_sent < maxMailsPerHour ? { link } : {}),
        ...(confirmedEmail ? { confirmedEmail } : {}),
      }
    },

    /** Restores the confirmed address after a password reset, because someone else may have changed it. */
    async revert(user: StoredUser, tx: Connection): Promise<void> {
      const change = await findChange(user, tx)
      if (!change?.confirmed_email) return
      if (await users.isDuplicate('email', change.confirmed_email, user.user_sid, tx)) return
      await users.update(user.user_sid, { email: change.confirmed_email }, tx)
      await discard(user.user_sid, tx)
    },

    /** Deletes a pending change, because another user set the address or the user was deleted. */
    discard,
  }
}

export type EmailChanges = ReturnType<typeof createEmailChangeRepository>
