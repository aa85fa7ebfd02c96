import { classifyDatabaseError } from '../../db/errors'
import { toColumnTime, toWireTime } from '../../db/time'
import type { Mail } from '../../ports/mail'
import type { Services } from '../../composition/services'
import { listAccountRecipients } from '../../shared/account-recipients'
import { buildTrialEndsMail } from '../../shared/user-mails'

/** How long before the end of a trial its users get an email. */
const reminderMs = 3 * 86_400_000

export interface ReminderOptions {
  /** The URL of the console, for the link in the email. */
  publicUrl: string
  /** Whether accounts can buy a paid plan. */
  canUpgrade: boolean
  now: () => Date
}

/** Creates the task that sends emails before the end of trials. */
export const createReminders = (
  { store, mail }: Pick<Services, 'store' | 'mail'>,
  { publicUrl, canUpgrade, now }: ReminderOptions,
): ((signal?: AbortSignal) => Promise<void>) => {
  const { db } = store.database

  /** Whether this server sends the email: only the first one stores the date. */
  const claimReminder = async (account_sid: string, trial_end_date: string): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('trunkline_trial_reminders')
      .set({ trial_end_date })
      .where('account_sid', '=', account_sid)
      .where('trial_end_date', '<>', trial_end_date)
      .executeTakeFirst()
    if (Number(numUpdatedRows) > 0) return true
    try {
      await db.insertInto('trunkline_trial_reminders').values({ account_sid, trial_end_date }).execute()
      return true
    } catch (error) {
      if (classifyDatabaseError(error)?.kind === 'duplicate') return false
      throw error
    }
  }

  const releaseReminder = (account_sid: string, trial_end_date: string) =>
    db
      .deleteFrom('trunkline_trial_reminders')
      .where('account_sid', '=', account_sid)
      .where('trial_end_date', '=', trial_end_date)
      .execute()

  const remind = async (
    sender: Mail,
    { account_sid, name, trial_end_date }: { account_sid: string; name: string; trial_end_date: string },
  ) => {
    if (!(await claimReminder(account_sid, trial_end_date))) return
    const recipients = await listAccountRecipients(db, account_sid)
    const account = { name, endsAt: toWireTime(trial_end_date), canUpgrade }
    try {
      for (const email of recipients) await sender.send(buildTrialEndsMail(email, account, `${publicUrl}/`))
    } catch (error) {
      // The next round tries again. A user may then get the email twice, which is better than never.
      await releaseReminder(account_sid, trial_end_date)
      throw error
    }
  }

  /** Sends an email to the users of each account whose trial ends within three days, once per end date. */
  return async (signal?: AbortSignal): Promise<void> => {
    if (!mail) return
    const endingAccounts = await db
      .selectFrom('accounts as a')
      .leftJoin('trunkline_trial_reminders as r', (join) =>
        join.onRef('r.account_sid', '=', 'a.account_sid').onRef('r.trial_end_date', '=', 'a.trial_end_date'),
      )
      .select(['a.account_sid', 'a.name', 'a.trial_end_date'])
      .where('r.account_sid', 'is', null)
      .where('a.plan_type', '=', 'trial')
      .where('a.is_active', '=', 1)
      .where('a.trial_end_date', '>', toColumnTime(now()))
      .where('a.trial_end_date', '<=', toColumnTime(new Date(now().getTime() + reminderMs)))
      .execute()
    for (const { trial_end_date, ...account } of endingAccounts) {
      if (signal?.aborted) return
      if (trial_end_date !== null) await remind(mail, { ...account, trial_end_date })
    }
  }
}
