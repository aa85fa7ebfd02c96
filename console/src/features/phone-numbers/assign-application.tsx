import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useState } from 'react'
import { noneValue } from '../../fields/found-options'
import { RecordSelect } from '../../fields/record-select'
import type { Chosen } from '../../kit/list'
import { useAction } from '../../kit/record'
import { abilitiesQuery, noAbilities } from '../../lib/abilities'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/progress'
import { toast } from '../../ui/toast'
import { accountOf } from './account-of'
import { assign } from './assign'
import css from './assign-application.module.css'

/** Gives the chosen numbers one application, or none: that goes for numbers of whatever accounts. */
export const AssignApplication = ({ chosen }: { chosen: Chosen<PhoneNumber> }) => {
  const found = accountOf(chosen.rows.values())
  const account_sid = 'account_sid' in found ? found.account_sid : undefined
  const records = {
    kind: 'application',
    list: applicationsOfAccount,
    params: { account_sid: account_sid ?? '' },
    idle: account_sid === undefined,
  }
  const { data: abilities = noAbilities } = useQuery(abilitiesQuery)
  const [done, setDone] = useState(0)
  const [picked, setPicked] = useState<{ of: string | undefined; value: string | null }>()
  // an application is of one account: with numbers of another one it is no choice any more
  const application = picked && (picked.value === noneValue || picked.of === account_sid) ? picked.value : null
  const apply = useAction('phone_number', (application_sid: string | null) =>
    assign(chosen.sids, application_sid, abilities.bulk, setDone),
  )
  const run = async () => {
    if (application === null || apply.isPending) return
    setDone(0)
    await apply.mutateAsync(application === noneValue ? null : application).then(
      () => {
        toast.ok(messages.updated)
        chosen.clear()
      },
      // the failure was said; the numbers stay chosen for another try
      () => undefined,
    )
  }
  return (
    <>
      <RecordSelect
        aria-label="Application"
        placeholder={messages.chooseApplication}
        className={css.pick}
        records={records}
        none="None"
        value={application}
        onChange={(value) => setPicked({ of: account_sid, value })}
        disabled={apply.isPending}
      />
      <Button look="primary" pending={apply.isPending} disabled={application === null} onClick={() => void run()}>
        Apply
      </Button>
      <span role="status" className={css.why}>
        {apply.isPending ? messages.updating : 'why' in found ? found.why : ''}
      </span>
      {apply.isPending && chosen.sids.length > 1 ? (
        <Progress label={messages.updating} done={done} total={chosen.sids.length} />
      ) : null}
    </>
  )
}
