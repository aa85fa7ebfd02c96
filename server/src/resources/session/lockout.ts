import { sql } from 'kysely'
import type { Connection, Store } from '../../db/table'

/** Counts wrong passwords of a user and shuts the door after too many. Kept in the database, so a restart opens nothing. */
export const lockout = (
  { database: { db, engine } }: Store,
  { attempts, seconds }: { attempts: number; seconds: number },
) => {
  const now = () => Math.floor(Date.now() / 1000)

  return {
    seconds,

    /** Is this user locked out at present? */
    async shut(user_sid: string): Promise<boolean> {
      const row = await db
        .selectFrom('trunkline_login_attempts')
        .select(['failures', 'until'])
        .where('user_sid', '=', user_sid)
        .executeTakeFirst()
      return row !== undefined && row.until > now() && row.failures >= attempts
    },

    /** Notes a wrong password; true when it was the one that shuts the door. */
    async failed(user_sid: string): Promise<boolean> {
      const until = now() + seconds
      // One statement, so that parallel guesses are all counted. An old count has run out and starts again.
      const again = sql`case when trunkline_login_attempts.until > ${now()} then trunkline_login_attempts.failures + 1 else 1 end`
      await sql`insert into trunkline_login_attempts (user_sid, failures, until) values (${user_sid}, 1, ${until}) ${
        engine === 'sqlite'
          ? sql`on conflict (user_sid) do update set failures = ${again}, until = ${until}`
          : sql`on duplicate key update failures = ${again}, until = ${until}`
      }`.execute(db)
      return this.shut(user_sid)
    },

    /** Forgets the wrong passwords after a right one, or when there is a new one to be right. */
    async passed(user_sid: string, connection: Connection = db): Promise<void> {
      await connection.deleteFrom('trunkline_login_attempts').where('user_sid', '=', user_sid).execute()
    },
  }
}

export type Lockout = ReturnType<typeof lockout>
