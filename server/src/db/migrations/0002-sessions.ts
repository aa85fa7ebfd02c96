import { bigint, datetime, int, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** The applied migrations. `applied_at` is null while one is running. */
export const trunklineMigrations = table('trunkline_migrations', {
  name: varchar(128).primary(),
  applied_at: datetime().nullable(),
})

/** Signed-in sessions. Times are seconds since 1970. */
export const trunklineSessions = table(
  'trunkline_sessions',
  { session_sid: sid().primary(), user_sid: sid(), created_at: bigint(), expires_at: bigint() },
  { indexes: { user_sid_idx: ['user_sid'], expires_at_idx: ['expires_at'] } },
)

/** Failed sign-ins of a user. Further ones are refused `until` this time, in seconds since 1970. */
export const trunklineLoginAttempts = table('trunkline_login_attempts', {
  user_sid: sid().primary(),
  failures: int().default(0),
  until: bigint().default(0),
})

export const createdTables = [trunklineSessions, trunklineLoginAttempts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
