import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { useProviderSid } from '../session/current-provider'
import { useActor } from '../session/session'
import type { FieldProps } from './use-bound-field'
import { RecordField, type RecordFieldProps } from './record-field'

type RecordFieldOptions = FieldProps &
  Pick<
    RecordFieldProps,
    'noneLabel' | 'showsNoneAsPlaceholder' | 'placeholder' | 'onSelect' | 'valueType' | 'selectedName'
  >

/** Accepts the records that an account may use: its own and the provider's. v1 servers return those of all accounts. */
const isUsableByAccount = (account_sid: string | null | undefined) => (row: Record<string, unknown>) =>
  !account_sid || !row.account_sid || row.account_sid === account_sid

export interface AccountFieldProps extends RecordFieldOptions {
  /** The provider of the accounts. Default: the current one. */
  providerSid?: string
}

/** An account of a provider. Renders nothing for account users, who have only one. */
export const AccountField = ({ providerSid, ...props }: AccountFieldProps) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const service_provider_sid = providerSid ?? currentProviderSid
  if (actor.scope === 'account') return null
  return <RecordField {...props} kind="account" list={accountsOfProvider} params={{ service_provider_sid }} />
}

export interface ApplicationFieldProps extends RecordFieldOptions {
  /** Limits the options to this account's applications. Null: no selection yet. Absent: those of the provider. */
  accountSid?: string | null
}

/** An application of an account, or of the current provider. */
export const ApplicationField = ({ accountSid, ...props }: ApplicationFieldProps) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const account_sid = actor.scope === 'account' ? actor.account_sid : accountSid
  if (account_sid === undefined)
    return <RecordField {...props} kind="application" list={applicationsOfProvider} params={{ service_provider_sid }} />
  return (
    <RecordField
      {...props}
      key={account_sid}
      kind="application"
      list={applicationsOfAccount}
      params={{ account_sid: account_sid ?? '' }}
      canSelect={isUsableByAccount(account_sid)}
      isIdle={account_sid === null}
    />
  )
}

export interface CarrierFieldProps extends RecordFieldOptions {
  /** Limits the options to the carriers that this account may use: its own and the provider's. */
  accountSid?: string | null
}

/** A carrier of the current provider. Account users select from their own carriers and the provider's. */
export const CarrierField = ({ accountSid, ...props }: CarrierFieldProps) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const account_sid = actor.scope === 'account' ? actor.account_sid : accountSid
  const canSelect = isUsableByAccount(account_sid)
  if (actor.scope === 'account')
    return <RecordField {...props} kind="voip_carrier" list={voipCarrier.list} params={{}} canSelect={canSelect} />
  return (
    <RecordField
      {...props}
      kind="voip_carrier"
      list={carriersOfProvider.list}
      params={{ service_provider_sid }}
      query={account_sid ? { account_sid } : {}}
      canSelect={canSelect}
    />
  )
}
