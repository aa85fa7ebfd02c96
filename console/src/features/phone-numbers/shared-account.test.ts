import { describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/phone-number'
import { findSharedAccount } from './shared-account'

describe('the account of the selected numbers', () => {
  it.each([
    ['numbers of one account', ['a', 'a'], { account_sid: 'a' }],
    ['numbers of two accounts', ['a', 'b'], { reason: messages.severalAccounts }],
    ['numbers of one account and of none', ['a', null], { reason: messages.severalAccounts }],
    ['numbers without an account', [null], { reason: messages.withoutAccount, hasNoAccount: true }],
  ])('is found for %s, or the reason why there is none', (_, accounts, expected) => {
    expect(findSharedAccount(accounts.map((account_sid) => ({ account_sid })))).toEqual(expected)
  })
})
