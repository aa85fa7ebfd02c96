import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useState } from 'react'
import { noneValue } from '../../fields/use-typed-field'
import { RecordSelect } from '../../fields/record-select'
import type { Selection } from '../../kit/list/list'
import { useRecordAction } from '../../kit/record/record'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import { sharedAccountOf } from './shared-account'
import { assignApplicationTo, assignAccountTo } from './assign-requests'
import css from './assign-application.module.css'

const toSid = (value: string | null) => (value === noneValue ? null : value)

/** The selection in the toolbar, dropped once it does not fit the selected numbers. */
const useSelection = (selectedRows: Selection<PhoneNumber>) => {
  const sharedAccount = sharedAccountOf(selectedRows.rows.values())
  const hasNoAccount = 'hasNoAccount' in sharedAccount
  const [newAccount, setNewAccount] = useState<string | null>(null)
  const account_sid =
    'account_sid' in sharedAccount ? sharedAccount.account_sid : hasNoAccount ? (newAccount ?? undefined) : undefined
  const [selected, setSelected] = useState<{ accountSid: string | undefined; value: string | null }>()
  // an application belongs to one account, so numbers of another account cannot use it
  const application =
    selected && (selected.value === noneValue || selected.accountSid === account_sid) ? selected.value : null
  return {
    hasNoAccount,
    reason: 'reason' in sharedAccount ? sharedAccount.reason : undefined,
    account_sid,
    application,
    setNewAccount,
    setApplication: (value: string | null) => setSelected({ accountSid: account_sid, value }),
    isReady: hasNoAccount ? newAccount !== null : application !== null,
  }
}

/** Assigns one application, or none, to the selected numbers. Numbers without an account get one first. */
export const AssignApplication = ({ selectedRows }: { selectedRows: Selection<PhoneNumber> }) => {
  const service_provider_sid = useProviderSid()
  const { hasNoAccount, reason, account_sid, application, setNewAccount, setApplication, isReady } =
    useSelection(selectedRows)
  const accounts = { kind: 'account', list: accountsOfProvider, params: { service_provider_sid } }
  const applications = {
    kind: 'application',
    list: applicationsOfAccount,
    params: { account_sid: account_sid ?? '' },
    isIdle: account_sid === undefined,
  }
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const [doneCount, setDoneCount] = useState(0)
  const apply = useRecordAction('phone_number', () =>
    hasNoAccount
      ? assignAccountTo(selectedRows.sids, account_sid ?? '', toSid(application), setDoneCount)
      : assignApplicationTo(selectedRows.sids, toSid(application), capabilities.bulk, setDoneCount),
  )
  const run = async () => {
    if (!isReady || apply.isPending) return
    setDoneCount(0)
    await apply.mutateAsync(undefined).then(
      () => {
        toast.ok(messages.updated)
        selectedRows.clear()
      },
      // an error toast was shown; the numbers stay selected for another attempt
      () => undefined,
    )
  }
  const status = apply.isPending ? messages.updating : reason
  return (
    <>
      {hasNoAccount ? (
        <RecordSelect
          label="Account"
          labelHidden
          placeholder={messages.chooseAccount}
          className={css.pick}
          records={accounts}
          value={account_sid ?? null}
          onChange={setNewAccount}
          disabled={apply.isPending}
        />
      ) : null}
      <RecordSelect
        key={account_sid}
        label="Application"
        labelHidden
        placeholder={messages.chooseApplication}
        className={css.pick}
        records={applications}
        none="None"
        value={application}
        onChange={setApplication}
        disabled={apply.isPending || (hasNoAccount && account_sid === undefined)}
      />
      <Button variant="primary" pending={apply.isPending} disabled={!isReady} onClick={() => void run()}>
        Apply
      </Button>
      <span role="status" className={css.why} title={status}>
        {status}
      </span>
      {apply.isPending && selectedRows.sids.length > 1 ? (
        <Progress label={messages.updating} done={doneCount} total={selectedRows.sids.length} />
      ) : null}
    </>
  )
}
