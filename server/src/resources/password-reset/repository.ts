import { createHash } from 'node:crypto'
import type { Connection, Store } from '../../db/repository'
import { shortId } from '../../secrets/ids'
import type { StoredUser } from '../users/public'
import type { EmailChanges } from '../email-changes/public'

/** Seconds for which a link is good, and how many of a user's may be good at the same time: nobody's mailbox is flooded. */
const lifetimeSeconds = 3600
const maxLinksPerUser = 3

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A link dies with the password that it was to replace, and with the address that it was sent to. */
const computeMark = (email: string, { hashed_password }: StoredUser) => hash(`${email}\n${hashed_password ?? ''}`)

/** How a link is known that a session has been opened with. */
export const sessionLink = (link: string, session_sid: string) => `${link}\n${session_sid}`

const now = () => Math.floor(Date.now() / 1000)

/** Links for a new password. What the database keeps of one cannot be used as a link. */
export const resetLinks = ({ database: { db } }: Store, emailChanges: EmailChanges) => ({
  /** A new link that is sent to a user's address; nothing when enough of them are on their way. */
  async issue(user: StoredUser, email: string): Promise<string | undefined> {
    const link = shortId()
    const keys = { link_hash: hash(link), user_sid: user.user_sid }
    await db.deleteFrom('trunkline_reset_links').where('expires_at', '<=', now()).execute()
    await db
      .insertInto('trunkline_reset_links')
      .values({ ...keys, mark: computeMark(email, user), expires_at: now() + lifetimeSeconds })
      .execute()
    // Counted after it is there: of several that come at once none is overlooked.
    const { many } = await db
      .selectFrom('trunkline_reset_links')
      .select((e) => e.fn.countAll<number>().as('many'))
      .where('user_sid', '=', user.user_sid)
      .executeTakeFirstOrThrow()
    if (Number(many) <= maxLinksPerUser) return link
    await this.revoke(link)
    return undefined
  },

  /** Takes back a link that reached nobody. */
  async revoke(link: string): Promise<void> {
    await db.deleteFrom('trunkline_reset_links').where('link_hash', '=', hash(link)).execute()
  },

  /** Whose link it is; nothing when it is unknown or has run out. */
  async find(link: string): Promise<{ user_sid: string; mark: string } | undefined> {
    return db
      .selectFrom('trunkline_reset_links')
      .select(['user_sid', 'mark'])
      .where('link_hash', '=', hash(link))
      .where('expires_at', '>', now())
      .executeTakeFirst()
  },

  /** Uses a link up for one session, which alone can still change the password with it; false when it was used before. */
  async bindToSession(link: string, session_sid: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('trunkline_reset_links')
      .set({ link_hash: hash(sessionLink(link, session_sid)) })
      .where('link_hash', '=', hash(link))
      .executeTakeFirst()
    return Number(numUpdatedRows) === 1
  },

  /** Is the link good for this very user, as the user is now? */
  async isValidFor(link: string, user: StoredUser): Promise<boolean> {
    const row = await this.find(link)
    if (row?.user_sid !== user.user_sid) return false
    return row.mark === computeMark((await emailChanges.recoveryEmail(user)) ?? '', user)
  },

  /** Uses a link up; false when somebody else has just done so. */
  async consume(link: string, connection: Connection): Promise<boolean> {
    const { numDeletedRows } = await connection
      .deleteFrom('trunkline_reset_links')
      .where('link_hash', '=', hash(link))
      .executeTakeFirst()
    return Number(numDeletedRows) === 1
  },
})

export type ResetLinks = ReturnType<typeof resetLinks>
