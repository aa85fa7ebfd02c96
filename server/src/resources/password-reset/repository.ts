import { createHash } from 'node:crypto'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { shortId } from '../../secrets/ids'
import type { StoredUser } from '../users/public'
import type { EmailChanges } from '../email-changes/public'

/** A user can have three valid links at a time, so that nobody can flood a mailbox. */
const lifetimeSeconds = 3600
const maxLinksPerUser = 3

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A link becomes invalid when the user's password or email address changes. */
const computeMark = (email: string, { hashed_password }: StoredUser) => hash(`${email}\n${hashed_password ?? ''}`)

/** The key of a link after a session was opened with it. */
export const sessionLink = (link: string, session_sid: string) => `${link}\n${session_sid}`

const now = () => Math.floor(Date.now() / 1000)

/** Password reset links. The database stores only hashes, which cannot be used as links. */
export const resetLinks = ({ database: { db } }: Store, emailChanges: EmailChanges) => ({
  /** Creates a link for a user's address. Undefined if the user has too many valid links. */
  async create(user: StoredUser, email: string): Promise<string | undefined> {
    const link = shortId()
    const keys = { link_hash: hash(link), user_sid: user.user_sid }
    await db.deleteFrom('trunkline_reset_links').where('expires_at', '<=', now()).execute()
    await db
      .insertInto('trunkline_reset_links')
      .values({ ...keys, mark: computeMark(email, user), expires_at: now() + lifetimeSeconds })
      .execute()
    // Counted after the insert, so that parallel requests cannot exceed the limit.
    const { many: linkCount } = await db
      .selectFrom('trunkline_reset_links')
      .select((e) => e.fn.countAll<number>().as('many'))
      .where('user_sid', '=', user.user_sid)
      .executeTakeFirstOrThrow()
    if (Number(linkCount) <= maxLinksPerUser) return link
    await this.revoke(link)
    return undefined
  },

  /** Deletes a link that could not be sent. */
  async revoke(link: string): Promise<void> {
    await db.deleteFrom('trunkline_reset_links').where('link_hash', '=', hash(link)).execute()
  },

  /** The user and mark of a link. Undefined if it is unknown or expired. */
  async find(link: string): Promise<{ user_sid: string; mark: string } | undefined> {
    return db
      .selectFrom('trunkline_reset_links')
      .select(['user_sid', 'mark'])
      .where('link_hash', '=', hash(link))
      .where('expires_at', '>', now())
      .executeTakeFirst()
  },

  /**
   * Binds a link to one session, which alone can then change the password with it. False if the link was used before.
   */
  async bindToSession(link: string, session_sid: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('trunkline_reset_links')
      .set({ link_hash: hash(sessionLink(link, session_sid)) })
      .where('link_hash', '=', hash(link))
      .executeTakeFirst()
    return Number(numUpdatedRows) === 1
  },

  /** Whether the link is valid for this user, with the user's current password and address. */
  async isValidFor(link: string, user: StoredUser): Promise<boolean> {
    const row = await this.find(link)
    if (row?.user_sid !== user.user_sid) return false
    return row.mark === computeMark((await emailChanges.recoveryEmail(user)) ?? '', user)
  },

  /** Deletes a link. False if a parallel request has just used it. */
  async consume(link: string, connection: Connection): Promise<boolean> {
    const { numDeletedRows } = await connection
      .deleteFrom('trunkline_reset_links')
      .where('link_hash', '=', hash(link))
      .executeTakeFirst()
    return Number(numDeletedRows) === 1
  },
})

export type ResetLinks = ReturnType<typeof resetLinks>
