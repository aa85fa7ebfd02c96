import { bigint, char, int, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/**
 * Codes with which users of identity providers confirm that they change how to sign in, one per user. Times are seconds
 * since 1970.
 */
export const trunklineSignInCodes = table('trunkline_sign_in_codes', {
  user_sid: sid().primary(),
  /** A keyed hash of the code. */
  code_hash: char(43),
  expires_at: bigint(),
  attempts: int().default(0),
  sent_at: bigint(),
})

/** The sessions in which users requested registrations that replace them. A request ends with its session. */
export const trunklineSignInChanges = table('trunkline_sign_in_changes', {
  /** The SID of the registration. */
  user_sid: sid().primary(),
  session_sid: sid(),
})

export const createdTables = [trunklineSignInCodes, trunklineSignInChanges]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
