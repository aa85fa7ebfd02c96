import { assignApplication, phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumberChanges } from '@trunkline/contract/shapes/phone-number'
import { request } from '../../lib/client'

/** Concurrent requests, for servers that update one number per request. */
const atOnce = 4

/** Processes all items, a few at a time. Continues after a failure, and throws the first one at the end. */
export const fewAtOnce = async <Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<void> => {
  const left = [...items]
  const failures: unknown[] = []
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      await run(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  if (failures.length > 0) throw failures[0]
}

/** Numbers per request, for servers that accept many: small enough to show progress. */
const together = 2000

/** Assigns an application to many numbers: many per request if the server supports it, otherwise one by one. */
export const assign = async (
  sids: string[],
  application_sid: string | null,
  bulk: boolean,
  onProgress: (done: number) => void,
): Promise<void> => {
  if (bulk) {
    for (let from = 0; from < sids.length; from += together) {
      const phone_number_sids = sids.slice(from, from + together)
      await request(assignApplication, { body: { phone_number_sids, application_sid } })
      onProgress(from + phone_number_sids.length)
    }
    return
  }
  await changeEach(sids, { application_sid }, onProgress)
}

/** Changes each number in a separate request. */
const changeEach = async (sids: string[], body: PhoneNumberChanges, onProgress: (done: number) => void) => {
  let done = 0
  await fewAtOnce(sids, async (phone_number_sid) => {
    await request(phoneNumber.update, { params: { phone_number_sid }, body })
    onProgress((done += 1))
  })
}

/** Assigns numbers to an account, with one of its applications or none. */
export const assignAccount = (
  sids: string[],
  account_sid: string,
  application_sid: string | null,
  onProgress: (done: number) => void,
): Promise<void> => changeEach(sids, { account_sid, application_sid }, onProgress)
