import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { SavedView, SavedViewChanges, SavedViewDraft } from '@trunkline/contract/shapes/saved-view'
import { equalsText, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'

const columns = ['saved_view_sid', 'list', 'name', 'query'] as const

/** The saved views of users. Every query is limited to one user. */
export const createSavedViewRepository = ({ database: { db } }: Store) => ({
  /** The views of a user, of one list or of all, by name. */
  list(user_sid: string, list?: string): Promise<SavedView[]> {
    const views = db.selectFrom('trunkline_saved_views').select(columns).where('user_sid', '=', user_sid)
    return (list === undefined ? views : views.where('list', '=', list)).orderBy('name').execute()
  },

  find(user_sid: string, saved_view_sid: string, tx: Connection): Promise<SavedView | undefined> {
    return tx
      .selectFrom('trunkline_saved_views')
      .select(columns)
      .where('user_sid', '=', user_sid)
      .where('saved_view_sid', '=', saved_view_sid)
      .executeTakeFirst()
  },

  /**
   * Locks a user until the transaction ends, so that parallel requests exceed no limit and use no name twice. False if the
   * user no longer exists.
   */
  async lockUser(user_sid: string, tx: Connection): Promise<boolean> {
    const { numAffectedRows } = await sql`update users set user_sid = user_sid where user_sid = ${user_sid}`.execute(tx)
    return Boolean(numAffectedRows)
  },

  async count(user_sid: string, tx: Connection): Promise<number> {
    const { total } = await tx
      .selectFrom('trunkline_saved_views')
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .where('user_sid', '=', user_sid)
      .executeTakeFirstOrThrow()
    return Number(total)
  },

  /** Whether another view of the list has this name. */
  async isDuplicate(
    { user_sid, list, name, exceptSid = '' }: { user_sid: string; list: string; name: string; exceptSid?: string },
    tx: Connection,
  ): Promise<boolean> {
    const row = await tx
      .selectFrom('trunkline_saved_views')
      .select('saved_view_sid')
      .where('user_sid', '=', user_sid)
      .where('list', '=', list)
      .where(sql<boolean>`${equalsText(sql`name`, name)}`)
      .where('saved_view_sid', '<>', exceptSid)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Stores a view and returns its SID. */
  async insert(user_sid: string, draft: SavedViewDraft, tx: Connection): Promise<string> {
    const saved_view_sid = randomUUID()
    await tx
      .insertInto('trunkline_saved_views')
      .values({ saved_view_sid, user_sid, ...draft })
      .execute()
    return saved_view_sid
  },

  async update(saved_view_sid: string, { name, query }: SavedViewChanges, tx: Connection): Promise<void> {
    await tx
      .updateTable('trunkline_saved_views')
      .set({ ...(name === undefined ? {} : { name }), ...(query === undefined ? {} : { query }) })
      .where('saved_view_sid', '=', saved_view_sid)
      .execute()
  },

  /** False if the user has no such view. */
  async remove(user_sid: string, saved_view_sid: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('trunkline_saved_views')
      .where('user_sid', '=', user_sid)
      .where('saved_view_sid', '=', saved_view_sid)
      .executeTakeFirst()
    return Number(numDeletedRows) > 0
  },
})
