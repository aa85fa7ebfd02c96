import { account } from '@trunkline/contract/resources/account'
import { ResourceList } from '../../kit/list'
import { paths } from '../../lib/paths'

/** Stands in until the screen is written. */
export const AccountList = () => (
  <ResourceList
    of={account}
    title="Accounts"
    columns={[]}
    edit={(row) => paths.accounts.edit(row.account_sid)}
    empty={{ title: 'Nothing yet.' }}
  />
)
