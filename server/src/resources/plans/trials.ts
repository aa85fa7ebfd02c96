import { freeQuantities } from '@trunkline/contract/billing/capacity'
import { trialExpiredReason } from '@trunkline/contract/billing/plan-state'
import { toColumnTime } from '../../db/time'
import { withTransaction } from '../../db/transaction'
import type { Services } from '../../composition/services'
import { replaceSubscription } from '../../shared/replace-subscription'
import { createReminders, type ReminderOptions } from './trial-reminders'

/** Accounts that one round handles at a time. */
const batchSize = 100

type TrialServices = Pick<Services, 'store' | 'mail'>

type TrialOptions = Omit<ReminderOptions, 'now'> & Partial<Pick<ReminderOptions, 'now'>>

/**
 * Ends trials, and sends an email three days before. Several servers may do this at the same time: an update of the account,
 * or a row per email, decides which of them handles an account.
 */
export const createTrials = ({ store, mail }: TrialServices, { now = () => new Date(), ...options }: TrialOptions) => {
  const { db } = store.database

  const endTrial = async (account_sid: string) => {
    await withTransaction(db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('accounts')
        .set({ plan_type: 'free', is_active: 0, deactivated_reason: trialExpiredReason })
        .where('account_sid', '=', account_sid)
        .where('plan_type', '=', 'trial')
        .where('trial_end_date', '<=', toColumnTime(now()))
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 0) return
      await replaceSubscription(tx, { account_sid, quantities: freeQuantities, reason: trialExpiredReason })
    })
  }

  return {
    /** Ends the trials that are over. */
    async endExpired(signal?: AbortSignal): Promise<void> {
      for (;;) {
        const expired = await db
          .selectFrom('accounts')
          .select('account_sid')
          .where('plan_type', '=', 'trial')
          .where('trial_end_date', '<=', toColumnTime(now()))
          .limit(batchSize)
          .execute()
        for (const { account_sid } of expired) {
          if (signal?.aborted) return
          await endTrial(account_sid)
        }
        if (expired.length < batchSize) return
      }
    },
    sendReminders: createReminders({ store, mail }, { ...options, now }),
  }
}
