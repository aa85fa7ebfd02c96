import { messages } from '@trunkline/contract/messages/account'
import type { Account } from '@trunkline/contract/shapes/account'
import type { RemoveOptions } from '../../kit/record/remove-dialog'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { loadAccountDependents } from './lazy-dependents'

/** Whether the deletion of an account cancels a subscription that is paid for. Only the hosted edition sells them. */
export const hasPaidSubscription = ({ plan_type }: Pick<Account, 'plan_type'>): boolean =>
  getFeatureFlags().hosted && plan_type === 'paid'

/** The lists that show only the records of an account. Users of an account see no others, so they need no filter. */
export const createAccountListPaths = (filterAccount: string): Partial<Record<string, string>> => {
  const search = filterAccount ? `?${new URLSearchParams({ account: filterAccount }).toString()}` : ''
  return {
    phone_number: paths.phoneNumbers.list + search,
    application: paths.applications.list + search,
    voip_carrier: paths.carriers.list + search,
    client: paths.clients.list + search,
    speech_credential: paths.speech.list + search,
    ms_teams_tenant: paths.msTeamsTenants.list + search,
    user: paths.users.list + search,
  }
}

/** The deletion of an account by its provider or an administrator. */
export const accountRemoval: RemoveOptions<Account> = {
  removedMessage: ({ name }) => messages.removed(name),
  findDependents: loadAccountDependents,
  createListPaths: ({ account_sid }) => createAccountListPaths(account_sid),
  note: (row) => (hasPaidSubscription(row) ? <p>{messages.removalCancelsSubscription}</p> : null),
}
