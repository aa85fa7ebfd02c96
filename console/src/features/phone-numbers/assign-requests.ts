import { assignApplication, phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumberChanges } from '@trunkline/contract/shapes/phone-number'
import { request } from '../../lib/client'

/** The maximum number of concurrent requests, for servers that update one number per request. */
const maxConcurrentRequests = 4

/** Processes all items, a few at a time. Continues after an error, and throws the first error at the end. */
export const runConcurrently = async <Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const queue = [...items]
  const failures: unknown[] = []
  const runQueue = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      await run(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrentRequests, items.length) }, runQueue))
  if (failures.length > 0) throw failures[0]
}

/** The numbers in one request, for servers that accept many: few enough to show progress. */
const batchSize = 2000

/** Assigns an application to many numbers: many per request if the server supports it, otherwise one by one. */
export const assignApplicationToNumbers = async (
  sids: string[],
  application_sid: string | null,
  hasBulkAssign: boolean,
  onProgress: (doneCount: number) => void,
): Promise<void> => {
  if (hasBulkAssign) {
    for (let start = 0; start < sids.length; start += batchSize) {
      const phone_number_sids = sids.slice(start, start + batchSize)
      await request(assignApplication, { body: { phone_number_sids, application_sid } })
      onProgress(start + phone_number_sids.length)
    }
    return
  }
  await updateEach(sids, { application_sid }, onProgress)
}

/** Changes each number with its own request. */
const updateEach = async (sids: string[], body: PhoneNumberChanges, onProgress: (doneCount: number) => void) => {
  let doneCount = 0
  await runConcurrently(sids, async (phone_number_sid) => {
    await request(phoneNumber.update, { params: { phone_number_sid }, body })
    onProgress((doneCount += 1))
  })
}

/** Assigns numbers to an account, with one of its applications or none. */
export const assignAccountToNumbers = (
  sids: string[],
  account_sid: string,
  application_sid: string | null,
  onProgress: (doneCount: number) => void,
): Promise<void> => updateEach(sids, { account_sid, application_sid }, onProgress)
