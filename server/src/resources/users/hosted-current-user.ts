import type { Actor } from '@trunkline/contract/policy/actor'
import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import type { WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import type { Services } from '../../composition/services'
import { maskTokens } from '../api-keys/public'
import { readCurrentSubscription } from '../plans/public'

type AccountActor = Extract<Actor, { scope: 'account' }>

/** The parts of the response that both editions have. */
interface CurrentUserParts {
  user: Row
  account: Row
  sp: Row
}

/**
 * Builds the response of the hosted edition to a user of an account: without the provider, and with the account's API keys,
 * subscription and static IP addresses.
 */
export const createHostedCurrentUser =
  ({ store, apiKeys, encryption }: Pick<Services, 'store' | 'apiKeys' | 'encryption'>) =>
  async (actor: AccountActor, { user, account, sp }: CurrentUserParts) => {
    const { db } = store.database
    const { account_sid: _, ...userWithoutAccount } = user
    const { account_sid } = actor
    const [keys, subscription, addresses] = await Promise.all([
      apiKeys.list({ account_sid }, {}) as Promise<WithOwner<ApiKey>[]>,
      readCurrentSubscription(db, encryption, account_sid),
      db.selectFrom('account_static_ips').select('public_ipv4').where('account_sid', '=', account_sid).execute(),
    ])
    return {
      user: userWithoutAccount,
      account: { ...account, is_active: account.is_active === 1, root_domain: sp.root_domain ?? null },
      api_keys: maskTokens(keys, actor).map(({ api_key_sid, token, last_used, created_at }) => ({
        api_key_sid,
        token,
        last_used,
        created_at,
      })),
      subscription,
      static_ips: addresses.map(({ public_ipv4 }) => public_ipv4),
    }
  }
