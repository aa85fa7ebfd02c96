import { unknownReference } from '../../shared/refusals'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Accounts } from './repository'

export type { Accounts } from './repository'

/** The owner of a new record in an account. Throws 400 if the account does not exist. */
export const findOwnerForAccount = async (accounts: Accounts, account_sid: string): Promise<Owner> => {
  const service_provider_sid = await accounts.providerOf(account_sid)
  if (!service_provider_sid) throw unknownReference('account_sid')
  return { account_sid, service_provider_sid }
}

/** The account of a new record. Actors of account scope always use their own. */
export const resolveAccountSid = (actor: Actor, account_sid: string | null | undefined): string | null =>
  actor.scope === 'account' ? actor.account_sid : (account_sid ?? null)
