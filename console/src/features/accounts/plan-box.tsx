import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/account'
import { messages as limitMessages } from '@trunkline/contract/messages/limit'
import { limitsOfAccount } from '@trunkline/contract/resources/limit'
import type { Account } from '@trunkline/contract/shapes/account'
import { request } from '../../lib/client'
import { formatDate } from '../../lib/time'
import { namedQueryKey } from '../../lib/query-keys'
import { Box, KeyValues } from '../../ui/form/box'
import { Status } from '../../ui/status'
import css from './side-box.module.css'
import { getPlanName } from './plan'

/** An absent limit and 0 both mean unlimited. */
const formatQuantity = (quantity = 0) => (quantity === 0 ? 'Unlimited' : quantity.toLocaleString('en-US'))

/** Shows the account's plan and limits. */
export const PlanBox = ({ row }: { row: Account }) => {
  const { account_sid, plan_type, trial_end_date, is_active } = row
  const { data: limits } = useQuery({
    queryKey: namedQueryKey('limit', 'ofAccount', account_sid),
    queryFn: ({ signal }) => request(limitsOfAccount.list, { params: { account_sid }, signal }),
    meta: { suppressErrorToast: true },
  })
  const formatLimit = (category: string) =>
    formatQuantity(limits?.find((limit) => limit.category === category)?.quantity)
  const trialEnd = plan_type === 'trial' ? formatDate(trial_end_date) : ''
  // the account of an expired trial becomes free and inactive
  const hasExpired = plan_type === 'free' && !is_active
  return (
    <Box title="Plan" end={is_active ? null : <Status kind="off">Inactive</Status>}>
      <KeyValues
        items={[
          { label: 'Plan', value: getPlanName(plan_type) },
          ...(trialEnd ? [{ label: 'Trial ends', value: trialEnd }] : []),
          ...(limits && !hasExpired
            ? [
                { label: limitMessages.labels.voice_call_session, value: formatLimit('voice_call_session') },
                { label: 'Max registered devices', value: formatLimit('device') },
              ]
            : []),
        ]}
      />
      {hasExpired ? <p className={css.note}>{messages.trialExpired}</p> : null}
    </Box>
  )
}
