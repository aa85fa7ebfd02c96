import { describe, expect, it } from 'vitest'
import { accountOf } from './shared-account'
import { messages } from '@trunkline/contract/messages/phone-number'
import { fewAtOnce } from './assign-requests'

describe('fewAtOnce', () => {
  it('runs all items, four at a time', async () => {
    const done: number[] = []
    let running = 0
    let most = 0
    await fewAtOnce([...Array(11).keys()], async (item) => {
      most = Math.max(most, (running += 1))
      await Promise.resolve()
      running -= 1
      done.push(item)
    })
    expect(done.toSorted((one, other) => one - other)).toEqual([...Array(11).keys()])
    expect(most).toBe(4)
  })

  it('runs the remaining items before it throws the error of one', async () => {
    const done: number[] = []
    const run = async (item: number) => {
      if (item === 1) throw new Error('no')
      done.push(item)
    }
    await expect(fewAtOnce([0, 1, 2], run)).rejects.toThrow('no')
    expect(done).toEqual([0, 2])
  })
})

describe('the account of the chosen numbers', () => {
  it.each([
    ['one account', ['a', 'a'], { account_sid: 'a' }],
    ['two accounts', ['a', 'b'], { why: messages.severalAccounts }],
    ['one account and no account', ['a', null], { why: messages.severalAccounts }],
    ['no account', [null], { why: messages.withoutAccount, unowned: true }],
  ])('handles %s', (_, accounts, expected) => {
    expect(accountOf(accounts.map((account_sid) => ({ account_sid })))).toEqual(expected)
  })
})
