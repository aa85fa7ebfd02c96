import { sql } from 'kysely'
import { equalsText } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Services } from '../../composition/services'
import type { StoredUser } from '../users/public'

/**
 * Whether the row `u` of `users` is a registration of a v1 server that was never confirmed. Such servers insert the user and
 * an inactive account before the address is confirmed. An account that was used has a SIP realm.
 */
const isAbandonedUser = sql<boolean>`(u.provider = 'local' and u.email_validated = 0
  and u.email_activation_code is not null and exists (select 1 from accounts a
    where a.account_sid = u.account_sid and a.is_active = 0 and a.sip_realm is null))`

/** Whether the user of the row `u` entered this address and has not confirmed it. The user still has the previous one. */
const isUnconfirmedChange = sql<boolean>`exists (select 1 from trunkline_email_changes c where c.user_sid = u.user_sid
  and c.new_email = u.email and c.confirmed_email <> '' and c.confirmed_email <> u.email)`

/** Whether nobody has confirmed the address of the row `u` of `users`, so that its owner can register with it. */
export const isUnconfirmedAddress = sql<boolean>`(${isAbandonedUser} or ${isUnconfirmedChange})`

/**
 * Takes an address, whose owner has confirmed it, from users who have not. An abandoned user is removed; their account stays,
 * inactive and empty. Others get their previous address back.
 */
export const releaseUnconfirmedAddress = async (
  tx: Connection,
  { users, emailChanges }: Pick<Services, 'users' | 'emailChanges'>,
  email: string,
): Promise<void> => {
  const { rows } = await sql<StoredUser & { is_abandoned: number }>`select u.*, ${isAbandonedUser} as is_abandoned
    from users u where ${equalsText(sql`u.email`, email)} and ${isUnconfirmedAddress}`.execute(tx)
  for (const { is_abandoned, ...user } of rows)
    await (is_abandoned ? users.remove(user.user_sid, tx) : emailChanges.revert(user, tx))
}
