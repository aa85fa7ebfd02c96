import { createHash } from 'node:crypto'
import type { Connection, Store } from '../../db/repository'
import { shortId } from '../../secrets/ids'
import type { StoredUser } from '../users/public'
import type { EmailChanges } from '../email-changes/public'

/** Seconds for which a link is good, and how many of a user's may be good at the same time: nobody's mailbox is flooded. */
const lifetime = 3600
const mostAtOnce = 3

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A link dies with the password that it was to replace, and with the address that it was sent to. */
const markOf = (email: string, { hashed_password }: StoredUser) => digest(`${email}\n${hashed_password ?? ''}`)

/** How a link is known that a session has been opened with. */
export const inSession = (link: string, session_sid: string) => `${link}\n${session_sid}`

const now = () => Math.floor(Date.now() / 1000)

/** Links for a new password. What the database keeps of one cannot be used as a link. */
export const resetLinks = ({ database: { db } }: Store, emailChanges: EmailChanges) => ({
  /** A new link that is sent to a user's address; nothing when enough of them are on their way. */
  async issue(user: StoredUser, email: string): Promise<string | undefined> {
    const link = shortId()
    const mine = { link_hash: digest(link), user_sid: user.user_sid }
    await db.deleteFrom('trunkline_reset_links').where('expires_at', '<=', now()).execute()
    await db
      .insertInto('trunkline_reset_links')
      .values({ ...mine, mark: markOf(email, user), expires_at: now() + lifetime })
      .execute()
    // Counted after it is there: of several that come at once none is overlooked.
    const { many } = await db
      .selectFrom('trunkline_reset_links')
      .select((e) => e.fn.countAll<number>().as('many'))
      .where('user_sid', '=', user.user_sid)
      .executeTakeFirstOrThrow()
    if (Number(many) <= mostAtOnce) return link
    await this.withdraw(link)
    return undefined
  },

  /** Takes back a link that reached nobody. */
  async withdraw(link: string): Promise<void> {
    await db.deleteFrom('trunkline_reset_links').where('link_hash', '=', digest(link)).execute()
  },

  /** Whose link it is; nothing when it is unknown or has run out. */
  async holder(link: string): Promise<{ user_sid: string; mark: string } | undefined> {
    return db
      .selectFrom('trunkline_reset_links')
      .select(['user_sid', 'mark'])
      .where('link_hash', '=', digest(link))
      .where('expires_at', '>', now())
      .executeTakeFirst()
  },

  /** Uses a link up for one session, which alone can still change the password with it; false when it was used before. */
  async bind(link: string, session_sid: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('trunkline_reset_links')
      .set({ link_hash: digest(inSession(link, session_sid)) })
      .where('link_hash', '=', digest(link))
      .executeTakeFirst()
    return Number(numUpdatedRows) === 1
  },

  /** Is the link good for this very user, as the user is now? */
  async fits(link: string, user: StoredUser): Promise<boolean> {
    const held = await this.holder(link)
    if (held?.user_sid !== user.user_sid) return false
    return held.mark === markOf((await emailChanges.recoveryEmail(user)) ?? '', user)
  },

  /** Uses a link up; false when somebody else has just done so. */
  async consume(link: string, connection: Connection): Promise<boolean> {
    const { numDeletedRows } = await connection
      .deleteFrom('trunkline_reset_links')
      .where('link_hash', '=', digest(link))
      .executeTakeFirst()
    return Number(numDeletedRows) === 1
  },
})

export type ResetLinks = ReturnType<typeof resetLinks>
