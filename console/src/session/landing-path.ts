import type { Actor } from '@trunkline/contract/policy/actor'
import { paths } from '../lib/paths'

/** The first screen after sign-in: account users get their account, everyone else the list of accounts. */
export const getLandingPath = (actor: Actor): string =>
  actor.scope === 'account' ? paths.accounts.edit(actor.account_sid) : paths.accounts.list
