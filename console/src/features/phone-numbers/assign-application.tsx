import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useState } from 'react'
import type { Chosen } from '../../kit/list'
import { useAction } from '../../kit/record'
import { abilitiesQuery, noAbilities } from '../../lib/abilities'
import { call } from '../../lib/client'
import { Button } from '../../ui/button'
import { Select } from '../../ui/choices'
import { toast } from '../../ui/toast'
import { accountOf } from './account-of'
import { assign } from './assign'
import css from './assign-application.module.css'

/** No application: the list of choices cannot hold null itself. */
const none = 'none'

const useApplications = (account_sid: string | undefined) =>
  useQuery({
    queryKey: ['application', 'all of', account_sid],
    queryFn: async ({ signal }) => {
      const answer = await call(applicationsOfAccount, { params: { account_sid: account_sid ?? '' }, signal })
      const rows = Array.isArray(answer) ? answer : answer.data
      return rows.map((row) => ({ value: row.application_sid, label: row.name }))
    },
    enabled: account_sid !== undefined,
    staleTime: 30_000,
  })

/** Gives the chosen numbers one application. */
export const AssignApplication = ({ chosen }: { chosen: Chosen<PhoneNumber> }) => {
  const found = accountOf(chosen.rows.values())
  const account_sid = 'account_sid' in found ? found.account_sid : undefined
  const { data: abilities = noAbilities } = useQuery(abilitiesQuery)
  const { data: applications = [], isLoading } = useApplications(account_sid)
  const [picked, setPicked] = useState<string | null>(null)
  const application = picked === none || applications.some(({ value }) => value === picked) ? picked : null
  const apply = useAction('phone_number', (application_sid: string | null) =>
    assign(chosen.sids, application_sid, abilities.bulk),
  )
  const run = async () => {
    if (application === null || apply.isPending) return
    await apply.mutateAsync(application === none ? null : application).then(
      () => {
        toast.ok(messages.updated)
        chosen.clear()
      },
      // the failure was said; the numbers stay chosen for another try
      () => undefined,
    )
  }
  if ('why' in found) return <span className={css.why}>{found.why}</span>
  return (
    <>
      <Select
        aria-label="Application"
        placeholder={messages.chooseApplication}
        className={css.pick}
        value={application}
        onChange={setPicked}
        data={[{ value: none, label: 'None' }, ...applications]}
        searchable={applications.length > 8}
        nothingFoundMessage={isLoading ? 'Loading' : 'Nothing found'}
        disabled={apply.isPending}
      />
      <Button look="primary" pending={apply.isPending} disabled={application === null} onClick={() => void run()}>
        Apply
      </Button>
      <span role="status" className={css.why}>
        {apply.isPending ? messages.updating : ''}
      </span>
    </>
  )
}
