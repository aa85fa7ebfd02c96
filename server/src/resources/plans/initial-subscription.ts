import { randomUUID } from 'node:crypto'
import { freeQuantities, type Quantities } from '@trunkline/contract/billing/capacity'
import type { Connection } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { insertProducts } from '../../shared/replace-subscription'

/** The plans that a new account can have. */
export type InitialPlan = 'trial' | 'free'

interface InitialSubscription {
  account_sid: string
  kind: InitialPlan
  /** The call sessions of a trial. */
  trialCallSessions: number
}

/** What a trial grants. The devices come with the call sessions. */
export const trialQuantities = (callSessions: number): Quantities => ({ voice_call_session: callSessions, device: 0 })

/** Inserts the first subscription of an account, with the quantities of its plan. */
export const createInitialSubscription = async (
  tx: Connection,
  { account_sid, kind, trialCallSessions }: InitialSubscription,
): Promise<void> => {
  const account_subscription_sid = randomUUID()
  await tx
    .insertInto('account_subscriptions')
    .values({ account_subscription_sid, account_sid, effective_start_date: toColumnTime() })
    .execute()
  await insertProducts(
    tx,
    account_subscription_sid,
    kind === 'free' ? freeQuantities : trialQuantities(trialCallSessions),
  )
}
