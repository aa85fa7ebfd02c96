import { apiKeysOfAccount } from '@trunkline/contract/resources/api-key'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { Account } from '@trunkline/contract/shapes/account'
import { askUses, teamsTenantsBy, type Use } from '../../kit/uses'
import { paths } from '../../lib/paths'
import { useProvider } from '../../session/provider'
import { maskOf } from '../../ui/masked-secret'

const usesOf = async ({ account_sid }: Account, withTenants: boolean): Promise<Use[]> => {
  const params = { account_sid }
  const found = await Promise.all([
    askUses({
      kind: 'phone_number',
      list: phoneNumber.list,
      query: { account_sid },
      mine: (row) => row.account_sid === account_sid,
      title: (row) => String(row.number),
    }),
    withTenants ? teamsTenantsBy('account_sid', account_sid) : [],
    askUses({ kind: 'application', list: applicationsOfAccount, params, title: (row) => String(row.name) }),
    askUses({
      kind: 'api_key',
      list: apiKeysOfAccount,
      params,
      title: (row) => maskOf(String(row.token)),
      href: (row) => `${paths.accounts.edit(account_sid)}#${String(row.api_key_sid)}`,
    }),
  ])
  return found.flat()
}

/**
 * Asks what keeps an account from being deleted. No server asks this itself: it would delete all of it along with the
 * account. Tenants of Microsoft Teams are there only where the provider has a domain for them.
 */
export const useUsesOfAccount = () => {
  const { current } = useProvider()
  return (row: Account) => usesOf(row, Boolean(current?.ms_teams_fqdn))
}
