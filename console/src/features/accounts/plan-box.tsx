import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/account'
import { limitsOfAccount } from '@trunkline/contract/resources/limit'
import type { Account } from '@trunkline/contract/shapes/account'
import { request } from '../../lib/client'
import { formatDate } from '../../lib/time'
import { Box, KeyValues } from '../../ui/form/box'
import { Status } from '../../ui/status'
import css from './side-box.module.css'
import { planName } from './plan'

const formatQuantity = (quantity: number | undefined) => {
  if (quantity === undefined) return 'No limit set'
  return quantity === 0 ? 'Unlimited' : quantity.toLocaleString('en-US')
}

/** Shows the account's plan and limits. */
export const PlanBox = ({ row }: { row: Account }) => {
  const { account_sid, plan_type, trial_end_date, is_active } = row
  const { data: limits } = useQuery({
    queryKey: ['limit', 'list', account_sid],
    queryFn: ({ signal }) => request(limitsOfAccount.list, { params: { account_sid }, signal }),
    meta: { suppressErrorToast: true },
  })
  const formatLimit = (category: string) =>
    formatQuantity(limits?.find((limit) => limit.category === category)?.quantity)
  const trialEnd = plan_type === 'trial' ? formatDate(trial_end_date) : ''
  const hasExpired = plan_type === 'free' && !is_active
  return (
    <Box title="Plan" end={is_active ? null : <Status kind="off">Inactive</Status>}>
      <KeyValues
        items={[
          { label: 'Plan', value: planName(plan_type) },
          ...(trialEnd ? [{ label: 'Trial ends', value: trialEnd }] : []),
          ...(limits && !hasExpired
            ? [
                { label: 'Simultaneous calls', value: formatLimit('voice_call_session') },
                { label: 'Registered devices', value: formatLimit('device') },
              ]
            : []),
        ]}
      />
      {hasExpired ? <p className={css.note}>{messages.trialExpired}</p> : null}
    </Box>
  )
}
