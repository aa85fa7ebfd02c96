import type { Account } from '@trunkline/contract/shapes/account'

/**
 * Lists the records that prevent the deletion of an account. The console checks this because servers do not: they would
 * delete these records with the account. The code is imported on the first deletion, because the account list is the
 * first screen for most users and must stay small.
 */
export const loadAccountDependents = async (row: Pick<Account, 'account_sid'>) =>
  (await import('./account-dependents')).listAccountDependents(row)
