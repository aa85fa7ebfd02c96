import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useState } from 'react'
import { noneValue } from '../../fields/use-text-input-props'
import { RecordSelect } from '../../fields/record-select'
import type { Selection } from '../../kit/list/list'
import type { Bulk } from '../../kit/list/use-bulk'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Button } from '../../ui/button'
import { findSharedAccount } from './shared-account'
import { assignApplicationToNumbers, restoreAssignment, updateEach } from './assign-requests'
import css from './assign-application.module.css'

const toSid = (value: string | null) => (value === noneValue ? null : value)

/** The account and the application that are selected in the toolbar. Ignores an application of another account. */
const useAssignment = (selectedRows: Selection<PhoneNumber>) => {
  const sharedAccount = findSharedAccount(selectedRows.rows.values())
  const sharedAccountSid = 'account_sid' in sharedAccount ? sharedAccount.account_sid : undefined
  const [chosenAccountSid, setChosenAccountSid] = useState<string | null>(null)
  const account_sid = chosenAccountSid ?? sharedAccountSid
  const isMove = account_sid !== undefined && account_sid !== sharedAccountSid
  const [selection, setSelection] = useState<{ accountSid: string | undefined; value: string | null }>()
  // an application belongs to one account, so numbers of another account cannot use it
  /** A SID, `noneValue` to remove the application, or null while nothing is selected. */
  const applicationValue =
    selection && (selection.value === noneValue || selection.accountSid === account_sid) ? selection.value : null
  const moveNote = sharedAccountSid !== undefined && applicationValue === null ? messages.moving : undefined
  return {
    /** Undefined: the numbers have no account, or several. */
    account_sid,
    isMove,
    hasNoAccount: 'hasNoAccount' in sharedAccount,
    note: isMove ? moveNote : 'reason' in sharedAccount ? sharedAccount.reason : undefined,
    applicationValue,
    setAccount: setChosenAccountSid,
    setApplication: (value: string | null) => setSelection({ accountSid: account_sid, value }),
    isReady: isMove || applicationValue !== null,
  }
}

interface AssignApplicationProps {
  selectedRows: Selection<PhoneNumber>
  bulk: Bulk<PhoneNumber>
}

/** Assigns an application, or none, to the selected numbers, and moves them to another account. */
export const AssignApplication = ({ selectedRows, bulk }: AssignApplicationProps) => {
  const service_provider_sid = useProviderSid()
  const { scope } = useActor()
  const { account_sid, isMove, hasNoAccount, note, applicationValue, setAccount, setApplication, isReady } =
    useAssignment(selectedRows)
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const applications = {
    kind: 'application',
    list: applicationsOfAccount,
    params: { account_sid: account_sid ?? '' },
    isIdle: account_sid === undefined,
  }
  const apply = () => {
    const application_sid = toSid(applicationValue)
    void bulk.run(
      {
        label: messages.updating,
        participle: 'changed',
        toastText: messages.updated,
        run: isMove
          ? updateEach(() => ({ account_sid, application_sid }))
          : assignApplicationToNumbers(application_sid, capabilities.bulk),
        undo: restoreAssignment,
      },
      [...selectedRows.rows.values()],
    )
  }
  return (
    <>
      {scope === 'account' ? null : (
        <RecordSelect
          label="Account"
          labelHidden
          placeholder={messages.chooseAccount}
          className={css.select}
          records={{ kind: 'account', list: accountsOfProvider, params: { service_provider_sid } }}
          value={account_sid ?? null}
          onChange={setAccount}
        />
      )}
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
        disabled={hasNoAccount && account_sid === undefined}
      />
      <Button variant="primary" disabled={!isReady} onClick={apply}>
        Apply
      </Button>
      <span role="status" className={css.status} title={note}>
        {note}
      </span>
    </>
  )
}
