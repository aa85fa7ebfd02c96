import { createHash } from 'node:crypto'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { generateShortId } from '../../secrets/ids'
import type { StoredUser } from '../users/public'
import type { EmailChanges } from '../email-changes/public'

const lifetimeSeconds = 3600

/** The maximum number of valid links per user. Prevents flooding a mailbox. */
const maxLinksPerUser = 3

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A hash stored with a link. A changed password or email address changes it, which makes the link invalid. */
const computeMark = (email: string, { hashed_password }: StoredUser) => hashOf(`${email}\n${hashed_password ?? ''}`)

/** The text whose hash is stored in place of the link's hash once the link has opened a session. */
export const buildSessionLink = (link: string, session_sid: string) => `${link}\n${session_sid}`

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** Password reset links. The database stores only hashes, which cannot be used as links. */
export const createResetLinkRepository = ({ database: { db } }: Store, emailChanges: EmailChanges) => ({
  /** Creates a link for a user's address. Undefined if the user has too many valid links. */
  async create(user: StoredUser, email: string): Promise<string | undefined> {
    const link = generateShortId()
    const keys = { link_hash: hashOf(link), user_sid: user.user_sid }
    await db.deleteFrom('trunkline_reset_links').where('expires_at', '<=', nowInSeconds()).execute()
    await db
      .insertInto('trunkline_reset_links')
      .values({ ...keys, mark: computeMark(email, user), expires_at: nowInSeconds() + lifetimeSeconds })
      .execute()
    // Counted after the insert, so that parallel requests cannot exceed the limit.
    const { link_count } = await db
      .selectFrom('trunkline_reset_links')
      .select(({ fn }) => fn.countAll<number>().as('link_count'))
      .where('user_sid', '=', user.user_sid)
      .executeTakeFirstOrThrow()
    if (Number(link_count) <= maxLinksPerUser) return link
    await this.revoke(link)
    return undefined
  },

  /** Deletes a link that could not be sent. */
  async revoke(link: string): Promise<void> {
    await db.deleteFrom('trunkline_reset_links').where('link_hash', '=', hashOf(link)).execute()
  },

  /** The user and the mark of a link. Undefined if the link is unknown or expired. */
  async find(link: string): Promise<{ user_sid: string; mark: string } | undefined> {
    return db
      .selectFrom('trunkline_reset_links')
      .select(['user_sid', 'mark'])
      .where('link_hash', '=', hashOf(link))
      .where('expires_at', '>', nowInSeconds())
      .executeTakeFirst()
  },

  /**
   * Binds a link to a session: only that session can change the password with it. False if the link was used before.
   */
  async bindToSession(link: string, session_sid: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('trunkline_reset_links')
      .set({ link_hash: hashOf(buildSessionLink(link, session_sid)) })
      .where('link_hash', '=', hashOf(link))
      .executeTakeFirst()
    return Number(numUpdatedRows) === 1
  },

  /** Whether the link was created for this user, and password and address have not changed since. */
  async isValidFor(link: string, user: StoredUser): Promise<boolean> {
    const row = await this.find(link)
    if (row?.user_sid !== user.user_sid) return false
    return row.mark === computeMark((await emailChanges.findRecoveryEmail(user)) ?? '', user)
  },

  /** Deletes a link. False if a parallel request has just used it. */
  async consume(link: string, connection: Connection): Promise<boolean> {
    const { numDeletedRows } = await connection
      .deleteFrom('trunkline_reset_links')
      .where('link_hash', '=', hashOf(link))
      .executeTakeFirst()
    return Number(numDeletedRows) === 1
  },
})

export type ResetLinks = ReturnType<typeof createResetLinkRepository>
