import { getPlanState, type PlanState } from '@trunkline/contract/billing/plan-state'
import { messages } from '@trunkline/contract/messages/plan'
import type { Account } from '@trunkline/contract/shapes/account'

/** What happens next to the plan of an account, or what happened to it last. */
export interface PlanEvent {
  text: string
  /** ISO 8601; null if the server does not report it. */
  date: string | null
  /** 'warn' for an event that the provider should know about, 'bad' for a failure. */
  tone?: 'warn' | 'bad'
}

const dayMs = 86_400_000
/** From this number of days before its end, a trial stands out. */
const trialEndsSoonDays = 5

const getTrialEvent = (trialEnd: string, now: Date): PlanEvent => {
  const end = new Date(trialEnd)
  const days = Math.ceil((end.getTime() - now.getTime()) / dayMs)
  return {
    text: end.toDateString() === now.toDateString() ? messages.trialEndsToday : messages.trialEndsIn(days),
    date: trialEnd,
    ...(days <= trialEndsSoonDays ? { tone: 'warn' } : {}),
  }
}

type PlanColumns = Pick<Account, 'plan_type' | 'is_active' | 'trial_end_date' | 'subscription'>

const getPaidEvent = ({ subscription }: PlanColumns): PlanEvent | undefined => {
  if (subscription?.ends_at) return { text: messages.paidPlanEnds, date: subscription.ends_at, tone: 'warn' }
  const date = subscription?.next_invoice?.date
  return date ? { text: messages.nextBilling, date } : undefined
}

/** Finds the event of a plan in each state. The free plan has none. */
const findEvent: Record<PlanState, (account: PlanColumns, now: Date) => PlanEvent | undefined> = {
  trial: ({ trial_end_date }, now) => (trial_end_date ? getTrialEvent(trial_end_date, now) : undefined),
  trial_expired: ({ trial_end_date }) => ({ text: messages.trialEnded, date: trial_end_date, tone: 'warn' }),
  paid: getPaidEvent,
  suspended: ({ subscription }) => ({
    text: messages.paymentFailed,
    date: subscription?.unpaid_invoice?.created_at ?? null,
    tone: 'bad',
  }),
  free: () => undefined,
}

/** Returns the event of an account's plan. Undefined for a plan without one, as the free plan. */
export const getPlanEvent = (account: PlanColumns, now: Date = new Date()): PlanEvent | undefined =>
  findEvent[getPlanState(account, account.subscription?.status, now)](account, now)
