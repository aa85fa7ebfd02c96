import { datetime, sid, table } from '../columns'
import type { MigrationContext } from '../migration-context'

/** For each account, the end of the trial that was last announced by email. An extended trial is announced again. */
export const trunklineTrialReminders = table('trunkline_trial_reminders', {
  account_sid: sid().primary(),
  trial_end_date: datetime(),
})

export const createdTables = [trunklineTrialReminders]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
