import { sql, type RawBuilder } from 'kysely'
import type { PlanState } from '@trunkline/contract/billing/plan-state'
import { toColumnTime } from '../../db/time'

/** The current subscription of an account waits for a payment, so the account may not use it. */
const isSuspended = sql`(exists (select 1 from account_subscriptions s
    where s.account_sid = t.account_sid and s.effective_end_date is null and s.pending = 1)
  and not exists (select 1 from account_subscriptions s
    where s.account_sid = t.account_sid and s.effective_end_date is null and s.pending = 0))`

/** The state of the plan of an account `t`, by the rules of `getPlanState`. */
export const planStateSql = (now: Date = new Date()): RawBuilder<PlanState> => sql<PlanState>`case
  when t.plan_type = 'paid' then case when ${isSuspended} then 'suspended' else 'paid' end
  when t.plan_type = 'trial' then case when t.trial_end_date <= ${toColumnTime(now)} then 'trial_expired' else 'trial' end
  when t.is_active = 1 then 'free'
  else 'trial_expired' end`
