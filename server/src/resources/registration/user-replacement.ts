import type { FastifyBaseLogger } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import type { Connection } from '../../db/repository-options'
import type { EmailMessage } from '../../ports/mail'
import type { Services } from '../../composition/services'
import { buildSignInChangedMail } from '../../shared/user-mails'
import type { StoredUser } from '../users/public'
import { insertRegisteredUser, type NewUser } from './account-creation'

export type ReplacementServices = Pick<
  Services,
  'accounts' | 'users' | 'sessions' | 'lockout' | 'emailChanges' | 'outbox'
>

/** The notice to a user who is replaced. Call it before the user is removed. */
export const prepareReplacementNotice = async (
  tx: Connection,
  { emailChanges }: Pick<ReplacementServices, 'emailChanges'>,
  replacedUser: StoredUser,
  newUser: Pick<NewUser, 'email' | 'provider'>,
): Promise<EmailMessage[]> => {
  const to = await emailChanges.findRecoveryEmail(replacedUser, tx)
  return to ? [buildSignInChangedMail(to, replacedUser, newUser)] : []
}

export const sendNotices = (
  { outbox }: Pick<ReplacementServices, 'outbox'>,
  notices: readonly EmailMessage[],
  log: FastifyBaseLogger,
): void => {
  for (const notice of notices) outbox.sendLater((mail) => mail.send(notice), 'about a changed sign-in', log)
}

/** Removes a user with their sessions and pending changes. */
export const removeReplacedUser = async (
  tx: Connection,
  { users, sessions, lockout, emailChanges }: Omit<ReplacementServices, 'accounts' | 'outbox'>,
  user_sid: string,
): Promise<void> => {
  await sessions.closeAll(user_sid, tx)
  await emailChanges.discard(user_sid, tx)
  await lockout.reset(user_sid, tx)
  await users.remove(user_sid, tx)
}

/**
 * Replaces the users of an account by one who signs in in another way. Returns the notices to them; undefined if the account
 * does not exist or is inactive. Call it in a transaction. Throws 422 if a user of another account has the address.
 */
export const replaceAccountUsers = async (
  tx: Connection,
  services: ReplacementServices,
  user: NewUser,
): Promise<EmailMessage[] | undefined> => {
  const { accounts, users } = services
  await users.lockUsers(tx)
  const account = await accounts.find(fullReach, user.account_sid, tx)
  if (account?.is_active !== 1) return undefined
  const replacedUsers = (await tx
    .selectFrom('users')
    .selectAll()
    .where('account_sid', '=', user.account_sid)
    .execute()) as StoredUser[]
  const notices: EmailMessage[] = []
  for (const replacedUser of replacedUsers) {
    notices.push(...(await prepareReplacementNotice(tx, services, replacedUser, user)))
    await removeReplacedUser(tx, services, replacedUser.user_sid)
  }
  await insertRegisteredUser(tx, services, user)
  return notices
}
