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
  shared?: boolean
}

/** The account filter of a list. Renders nothing for users with only one account. Loads the accounts when it opens. */
export const AccountFilter = (props: AccountFilterProps) =>
  scopeRank[useActor().scope] > scopeRank.account ? <Accounts {...props} /> : null

const all = [{ value: '', label: 'All accounts' }]
const anyOrShared = [
  { value: '', label: 'Any' },
  { value: sharedRecordsSid, label: 'All accounts' },
]

const Accounts = ({ label, value, onChange, shared = false }: AccountFilterProps) => {
  const service_provider_sid = useProviderSid()
  const [text, setText] = useState<string>()
  const name = useDebounced(text?.trim() ?? '', 300)
  const records = {
    kind: 'account',
    list: accountsOfProvider,
    params: { service_provider_sid },
    isIdle: text === undefined,
  }
  const { options, isFetching } = useRecordOptions(records, value && value !== sharedRecordsSid ? value : null, name)
  return (
    <FilterSelect
      name={label}
      value={value}
      inactiveValue=""
      loading={isFetching}
      searchable
      onSearch={setText}
      options={[...(shared ? anyOrShared : all), ...options]}
      onChange={onChange}
    />
  )
}
