import { apiKeysOfAccount } from '@trunkline/contract/resources/api-key'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { Account } from '@trunkline/contract/shapes/account'
import { fetchDependents, fetchDependentTeamsTenants, type DependentRecord } from '../../kit/record/dependents'
import { paths } from '../../lib/paths'
import { maskSecret } from '../../ui/form/masked-secret'

/** Lists the records that prevent the deletion of an account. */
export const listAccountDependents = async ({
  account_sid,
}: Pick<Account, 'account_sid'>): Promise<DependentRecord[]> => {
  const params = { account_sid }
  const dependentLists = await Promise.all([
    fetchDependents({
      kind: 'phone_number',
      list: phoneNumber.list,
      query: { account_sid },
      matches: (row) => row.account_sid === account_sid,
      title: (row) => String(row.number),
    }),
    fetchDependentTeamsTenants('account_sid', account_sid),
    fetchDependents({ kind: 'application', list: applicationsOfAccount, params, title: (row) => String(row.name) }),
    fetchDependents({
      kind: 'api_key',
      list: apiKeysOfAccount,
      params,
      title: (row) => maskSecret(String(row.token)),
      href: (row) => `${paths.accounts.edit(account_sid)}#${String(row.api_key_sid)}`,
    }),
  ])
  return dependentLists.flat()
}
