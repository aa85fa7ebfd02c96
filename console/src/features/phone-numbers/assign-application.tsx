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
import { accountOf } from './shared-account'
import { assign, assignAccount } from './assign-requests'
import css from './assign-application.module.css'

const toSid = (value: string | null) => (value === noneValue ? null : value)

/** The selection in the toolbar, dropped once it does not fit the selected numbers. */
const useChoice = (chosen: Selection<PhoneNumber>) => {
  const found = accountOf(chosen.rows.values())
  const unowned = 'unowned' in found
  const [newAccount, setNewAccount] = useState<string | null>(null)
  const account_sid = 'account_sid' in found ? found.account_sid : unowned ? (newAccount ?? undefined) : undefined
  const [picked, setPicked] = useState<{ of: string | undefined; value: string | null }>()
  // an application belongs to one account, so numbers of another account cannot use it
  const application = picked && (picked.value === noneValue || picked.of === account_sid) ? picked.value : null
  return {
    unowned,
    why: 'why' in found ? found.why : undefined,
    account_sid,
    application,
    setNewAccount,
    setApplication: (value: string | null) => setPicked({ of: account_sid, value }),
    isReady: unowned ? newAccount !== null : application !== null,
  }
}

/** Assigns one application, or none, to the selected numbers. Numbers without an account get one first. */
export const AssignApplication = ({ chosen }: { chosen: Selection<PhoneNumber> }) => {
  const service_provider_sid = useProviderSid()
  const { unowned, why, account_sid, application, setNewAccount, setApplication, isReady } = useChoice(chosen)
  const accounts = { kind: 'account', list: accountsOfProvider, params: { service_provider_sid } }
  const applications = {
    kind: 'application',
    list: applicationsOfAccount,
    params: { account_sid: account_sid ?? '' },
    idle: account_sid === undefined,
  }
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const [done, setDone] = useState(0)
  const apply = useRecordAction('phone_number', () =>
    unowned
      ? assignAccount(chosen.sids, account_sid ?? '', toSid(application), setDone)
      : assign(chosen.sids, toSid(application), capabilities.bulk, setDone),
  )
  const run = async () => {
    if (!isReady || apply.isPending) return
    setDone(0)
    await apply.mutateAsync(undefined).then(
      () => {
        toast.ok(messages.updated)
        chosen.clear()
      },
      // an error toast was shown; the numbers stay selected for another attempt
      () => undefined,
    )
  }
  const status = apply.isPending ? messages.updating : why
  return (
    <>
      {unowned ? (
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
        disabled={apply.isPending || (unowned && account_sid === undefined)}
      />
      <Button variant="primary" pending={apply.isPending} disabled={!isReady} onClick={() => void run()}>
        Apply
      </Button>
      <span role="status" className={css.why} title={status}>
        {status}
      </span>
      {apply.isPending && chosen.sids.length > 1 ? (
        <Progress label={messages.updating} done={done} total={chosen.sids.length} />
      ) : null}
    </>
  )
}
