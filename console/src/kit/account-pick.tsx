import { sharedOnly } from '@trunkline/contract/kit/page'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { useState } from 'react'
import { useRecordOptions } from '../fields/record-options'
import { useProviderSid } from '../session/provider'
import { useActor } from '../session/session'
import { Pick } from '../ui/pick'
import { useDebounced } from '../lib/use-debounced'

export interface AccountPickProps {
  label: string
  /** An account's sid, or '' for all. */
  value: string
  onChange: (sid: string) => void
  /** Records can belong to all accounts: these can be picked too. */
  shared?: boolean
}

/** The account filter of a list; nothing for those who see one account only. Accounts are asked for when it is opened. */
export const AccountPick = (props: AccountPickProps) =>
  scopeRank[useActor().scope] > scopeRank.account ? <Accounts {...props} /> : null

const all = [{ value: '', label: 'All accounts' }]
const anyOrShared = [
  { value: '', label: 'Any' },
  { value: sharedOnly, label: 'All accounts' },
]

const Accounts = ({ label, value, onChange, shared = false }: AccountPickProps) => {
  const service_provider_sid = useProviderSid()
  const [text, setText] = useState<string>()
  const name = useDebounced(text?.trim() ?? '', 300)
  const records = {
    kind: 'account',
    list: accountsOfProvider,
    params: { service_provider_sid },
    idle: text === undefined,
  }
  const { options, isFetching } = useRecordOptions(records, value && value !== sharedOnly ? value : null, name)
  return (
    <Pick
      name={label}
      value={value}
      rest=""
      loading={isFetching}
      searchable
      onSearch={setText}
      options={[...(shared ? anyOrShared : all), ...options]}
      onChange={onChange}
    />
  )
}
