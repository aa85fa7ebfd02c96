import { sharedRecordsSid } from '@trunkline/contract/kit/page'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { RecordFilter } from './record-filter'

export interface AccountFilterProps {
  label: string
  /** The account's SID, or '' for all accounts. */
  value: string
  onChange: (sid: string) => void
  /** Adds a choice for records that belong to all accounts. */
  hasSharedRecords?: boolean
}

/** The account filter of a list. Renders nothing for users with only one account. Loads the accounts when it opens. */
export const AccountFilter = (props: AccountFilterProps) =>
  scopeRank[useActor().scope] > scopeRank.account ? <AccountSelect {...props} /> : null

const allAccountsOption = [{ value: '', label: 'All accounts' }]
const anyOrSharedOptions = [
  { value: '', label: 'Any account' },
  { value: sharedRecordsSid, label: 'All accounts (shared)' },
]

const AccountSelect = ({ hasSharedRecords = false, ...props }: AccountFilterProps) => {
  const service_provider_sid = useProviderSid()
  return (
    <RecordFilter
      {...props}
      source={{ kind: 'account', list: accountsOfProvider, params: { service_provider_sid } }}
      fixedOptions={hasSharedRecords ? anyOrSharedOptions : allAccountsOption}
    />
  )
}
