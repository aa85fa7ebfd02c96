import type { Account } from '@trunkline/contract/shapes/account'
import { formatDate } from '../../lib/time'
import { Muted } from '../../ui/muted'

const planNames: Record<string, string> = { paid: 'Paid', trial: 'Trial', free: 'Free' }

/** Returns the display name of a plan. */
export const getPlanName = (plan_type: string): string => planNames[plan_type] ?? plan_type

/** Shows the account's plan, and the end date of a trial. */
export const PlanLabel = ({ row: { plan_type, trial_end_date } }: { row: Account }) => {
  const trialEnd = plan_type === 'trial' ? formatDate(trial_end_date) : ''
  return (
    <>
      {getPlanName(plan_type)}
      {trialEnd ? <Muted>{` until ${trialEnd}`}</Muted> : null}
    </>
  )
}
