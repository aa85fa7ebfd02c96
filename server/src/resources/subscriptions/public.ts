import type { Connection } from '../../db/repository-options'
import type { Billing } from './billing'

/**
 * Deletes an account together with its customer at the payment provider, which ends what is billed. `removeRows` deletes the
 * account in a transaction, and passes it to `record`. If the provider does not respond, the customer is deleted later.
 */
export const removeBilledAccount = async (
  billing: Billing | undefined,
  account_sid: string,
  removeRows: (record: (tx: Connection) => Promise<void>) => Promise<void>,
): Promise<void> => (billing ? billing.removeAccount(account_sid, removeRows) : removeRows(() => Promise.resolve()))
