import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useState } from 'react'
import { noneValue } from '../../fields/use-text-input-props'
import { RecordSelect } from '../../fields/record-select'
import type { Selection } from '../../kit/list/list'
import { useRecordAction } from '../../kit/record/record'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import { findSharedAccount } from './shared-account'
import { assignApplicationToNumbers, assignAccountToNumbers } from './assign-requests'
import css from './assign-application.module.css'

const toSid = (value: string | null) => (value === noneValue ? null : value)

/** The account and the application that are selected in the toolbar. Ignores an application of another account. */
const useAssignment = (selectedRows: Selection<PhoneNumber>) => {
  const sharedAccount = findSharedAccount(selectedRows.rows.values())
  const hasNoAccount = 'hasNoAccount' in sharedAccount
  const [newAccountSid, setNewAccountSid] = useState<string | null>(null)
  const account_sid =
    'account_sid' in sharedAccount ? sharedAccount.account_sid : hasNoAccount ? (newAccountSid ?? undefined) : undefined
  const [selection, setSelection] = useState<{ accountSid: string | undefined; value: string | null }>()
  // an application belongs to one account, so numbers of another account cannot use it
  /** A SID, `noneValue` to remove the application, or null while nothing is selected. */
  const applicationValue =
    selection && (selection.value === noneValue || selection.accountSid === account_sid) ? selection.value : null
  return {
    hasNoAccount,
    reason: 'reason' in sharedAccount ? sharedAccount.reason : undefined,
    account_sid,
    applicationValue,
    setNewAccountSid,
    setApplication: (value: string | null) => setSelection({ accountSid: account_sid, value }),
    isReady: hasNoAccount ? newAccountSid !== null : applicationValue !== null,
  }
}

/** Assigns one application, or none, to the selected numbers. Numbers without an account get one first. */
export const AssignApplication = ({ selectedRows }: { selectedRows: Selection<PhoneNumber> }) => {
  const service_provider_sid = useProviderSid()
  const { hasNoAccount, reason, account_sid, applicationValue, setNewAccountSid, setApplication, isReady } =
    useAssignment(selectedRows)
  const accounts = { kind: 'account', list: accountsOfProvider, params: { service_provider_sid } }
  const applications = {
    kind: 'application',
    list: applicationsOfAccount,
    params: { account_sid: account_sid ?? '' },
    isIdle: account_sid === undefined,
  }
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const [doneCount, setDoneCount] = useState(0)
  const assignment = useRecordAction('phone_number', () =>
    hasNoAccount
      ? assignAccountToNumbers(selectedRows.sids, account_sid ?? '', toSid(applicationValue), setDoneCount)
      : assignApplicationToNumbers(selectedRows.sids, toSid(applicationValue), capabilities.bulk, setDoneCount),
  )
  const apply = async () => {
    if (!isReady || assignment.isPending) return
    setDoneCount(0)
    await assignment.mutateAsync(undefined).then(
      () => {
        toast.ok(messages.updated)
        selectedRows.clear()
      },
      // an error toast was shown; the numbers stay selected for another attempt
      () => undefined,
    )
  }
  const status = assignment.isPending ? messages.updating : reason
  return (
    <>
      {hasNoAccount ? (
        <RecordSelect
          label="Account"
          labelHidden
          placeholder={messages.chooseAccount}
          className={css.select}
          records={accounts}
          value={account_sid ?? null}
          onChange={setNewAccountSid}
          disabled={assignment.isPending}
        />
      ) : null}
      <RecordSelect
        key={account_sid}
        label="Application"
        labelHidden
        placeholder={messages.chooseApplication}
        className={css.select}
        records={applications}
        noneLabel="None"
        value={applicationValue}
        onChange={setApplication}
        disabled={assignment.isPending || (hasNoAccount && account_sid === undefined)}
      />
      <Button variant="primary" pending={assignment.isPending} disabled={!isReady} onClick={() => void apply()}>
        Apply
      </Button>
      <span role="status" className={css.status} title={status}>
        {status}
      </span>
      {assignment.isPending && selectedRows.sids.length > 1 ? (
        <Progress label={messages.updating} done={doneCount} total={selectedRows.sids.length} />
      ) : null}
    </>
  )
}
