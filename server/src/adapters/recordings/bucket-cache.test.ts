import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ObjectStorage } from '../../ports/object-storage'
import { createBucketCache } from './bucket-cache'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens the buckets of these accounts. `closedAccounts` receives each account whose bucket is closed. */
const openBuckets = async (accountSids: readonly string[], closedAccounts: string[]) => {
  const buckets = createBucketCache((_, account_sid) =>
    Promise.resolve({ close: () => void closedAccounts.push(account_sid) } as Partial<ObjectStorage> as ObjectStorage),
  )
  for (const account_sid of accountSids) await buckets.get(account_sid, { vendor: 's3_compatible' })
  return buckets
}
const accountSids = Array.from({ length: 51 }, (_, index) => `account ${index}`)

it('closes a bucket that it removes only after requests to it have ended', async () => {
  const closedAccounts: string[] = []
  await openBuckets(accountSids, closedAccounts)
  await vi.advanceTimersByTimeAsync(29 * 60_000)
  expect(closedAccounts).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  expect(closedAccounts).toEqual(['account 0'])
})

it('closes all buckets at once when the server stops', async () => {
  const closedAccounts: string[] = []
  const buckets = await openBuckets(accountSids, closedAccounts)
  buckets.close()
  await vi.advanceTimersByTimeAsync(0)
  expect(closedAccounts).toHaveLength(50)
})
