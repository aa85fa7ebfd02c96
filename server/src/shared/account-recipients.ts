import type { Connection } from '../db/repository-options'

/** The addresses of the users of an account who get email about it: those who can sign in and have confirmed theirs. */
export const listAccountRecipients = async (db: Connection, account_sid: string): Promise<string[]> => {
  const users = await db
    .selectFrom('users')
    .select('email')
    .where('account_sid', '=', account_sid)
    .where('is_active', '=', 1)
    .where('email_validated', '=', 1)
    .orderBy('email')
    .execute()
  return users.map(({ email }) => email)
}
