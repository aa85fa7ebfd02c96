import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { messages } from '@trunkline/contract/messages/phone-number'

/** Returns the account whose applications these numbers can use, or the reason why there is none. */
export const findSharedAccount = (
  rows: Iterable<Pick<PhoneNumber, 'account_sid'>>,
): { account_sid: string } | { reason: string; hasNoAccount?: true } => {
  const accounts = new Set([...rows].map(({ account_sid }) => account_sid))
  const [account_sid] = accounts
  if (accounts.size > 1) return { reason: messages.severalAccounts }
  return account_sid ? { account_sid } : { reason: messages.withoutAccount, hasNoAccount: true }
}
