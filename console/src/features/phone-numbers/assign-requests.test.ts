import { describe, expect, it } from 'vitest'
import { sharedAccountOf } from './shared-account'
import { messages } from '@trunkline/contract/messages/phone-number'
import { runConcurrently } from './assign-requests'

describe('fewAtOnce', () => {
  it('runs all items, four at a time', async () => {
    const finished: number[] = []
    let running = 0
    let maxRunning = 0
    await runConcurrently([...Array(11).keys()], async (item) => {
      maxRunning = Math.max(maxRunning, (running += 1))
      await Promise.resolve()
      running -= 1
      finished.push(item)
    })
    expect(finished.toSorted((a, b) => a - b)).toEqual([...Array(11).keys()])
    expect(maxRunning).toBe(4)
  })

  it('runs the remaining items before it throws the error of one', async () => {
    const finished: number[] = []
    const run = async (item: number) => {
      if (item === 1) throw new Error('no')
      finished.push(item)
    }
    await expect(runConcurrently([0, 1, 2], run)).rejects.toThrow('no')
    expect(finished).toEqual([0, 2])
  })
})

describe('the account of the chosen numbers', () => {
  it.each([
    ['one account', ['a', 'a'], { account_sid: 'a' }],
    ['two accounts', ['a', 'b'], { reason: messages.severalAccounts }],
    ['one account and no account', ['a', null], { reason: messages.severalAccounts }],
    ['no account', [null], { reason: messages.withoutAccount, hasNoAccount: true }],
  ])('handles %s', (_, accounts, expected) => {
    expect(sharedAccountOf(accounts.map((account_sid) => ({ account_sid })))).toEqual(expected)
  })
})
