import { sharedRecordsSid } from '@trunkline/contract/kit/page'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { useState } from 'react'
import { useRecordOptions } from '../../fields/record-options'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { FilterSelect } from '../../ui/table/filter-select'
import { useDebounced } from '../../lib/use-debounced'

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

const searchDelayMs = 300

const AccountSelect = ({ label, value, onChange, hasSharedRecords = false }: AccountFilterProps) => {
  const service_provider_sid = useProviderSid()
  const [searchText, setSearchText] = useState<string>()
  const debouncedText = useDebounced(searchText?.trim() ?? '', searchDelayMs)
  const records = {
    kind: 'account',
    list: accountsOfProvider,
    params: { service_provider_sid },
    isIdle: searchText === undefined,
  }
  const { options, isFetching } = useRecordOptions(
    records,
    value && value !== sharedRecordsSid ? value : null,
    debouncedText,
  )
  return (
    <FilterSelect
      name={label}
      value={value}
      inactiveValue=""
      loading={isFetching}
      searchable
      onSearch={setSearchText}
      options={[...(hasSharedRecords ? anyOrSharedOptions : allAccountsOption), ...options]}
      onChange={onChange}
    />
  )
}
