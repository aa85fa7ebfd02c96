import { fullReach } from '@trunkline/contract/policy/can'
import { messages } from '@trunkline/contract/messages/user'
import { getScope } from '@trunkline/contract/policy/actor'
import type { Connection } from '../../db/repository-options'
import { unprocessable } from '../../http/problem'
import type { StoredUser, Users } from './repository'

/** Rules that concern several users. Call them after `lockUsers`, so that parallel requests cannot break them. */
export const createUserInvariants = (users: Users) => ({
  /** Throws 422 if a changed name or email address is a duplicate. */
  async checkUnique(
    values: Partial<Pick<StoredUser, 'name' | 'email'>>,
    tx: Connection,
    current?: StoredUser,
  ): Promise<void> {
    for (const field of ['name', 'email'] as const) {
      const value = values[field]
      if (value === undefined || value === current?.[field]) continue
      if (await users.isDuplicate(field, value, current?.user_sid, tx))
        throw unprocessable(messages.duplicateRefusal, field)
    }
  },

  /** Whether this user is the last active administrator. */
  async isLastAdmin(user_sid: string, tx: Connection): Promise<boolean> {
    const user = await users.find(fullReach, user_sid, tx)
    return user?.is_active === 1 && getScope(user.owner) === 'admin' && !(await users.hasOtherAdmin(user_sid, tx))
  },
})
