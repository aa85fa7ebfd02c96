/** The plan of an account as people see it. A suspended plan is a paid one whose payment failed. */
export const planStates = ['paid', 'trial', 'trial_expired', 'free', 'suspended'] as const

export type PlanState = (typeof planStates)[number]

/** `deactivated_reason` of an account whose trial has ended. Its users may sign in, to upgrade. */
export const trialExpiredReason = 'trial expired'

interface PlanFields {
  plan_type: string
  /** The column, or the boolean of `GET /Users/me`. */
  is_active: number | boolean
  trial_end_date: string | null
}

/** The state of an account's plan. `status` is that of its subscription, if it is known. */
export const getPlanState = (
  { plan_type, is_active, trial_end_date }: PlanFields,
  status: string | undefined,
  now: Date = new Date(),
): PlanState => {
  if (plan_type === 'paid') return status === 'suspended' ? 'suspended' : 'paid'
  // The server ends trials about every hour, so the date can be in the past.
  if (plan_type === 'trial') return trial_end_date && new Date(trial_end_date) <= now ? 'trial_expired' : 'trial'
  return is_active ? 'free' : 'trial_expired'
}
