import type { Actor } from '@trunkline/contract/policy/actor'
import { paths } from '../lib/paths'

/** Where a person begins: an account user at the own account, everybody else at the accounts. */
export const landingOf = (actor: Actor): string =>
  actor.scope === 'account' ? paths.accounts.edit(actor.account_sid) : paths.accounts.list
