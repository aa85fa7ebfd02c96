import { assignApplication, phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumberChanges } from '@trunkline/contract/shapes/phone-number'
import { request } from '../../lib/client'

/** Requests at a time, where the server takes one number with each. */
const atOnce = 4

/** Runs all, a few at a time. The first failure is thrown when the others are through: what could be done is done. */
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

/** Numbers in one call, where the server takes many: so that progress is seen. */
const together = 2000

/** One application for many numbers: many in one call where the server has it, else number by number. */
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

/** Makes the same change to each number, with a call of its own. */
const changeEach = async (sids: string[], body: PhoneNumberChanges, onProgress: (done: number) => void) => {
  let done = 0
  await fewAtOnce(sids, async (phone_number_sid) => {
    await request(phoneNumber.update, { params: { phone_number_sid }, body })
    onProgress((done += 1))
  })
}

/** Gives numbers to an account, with an application of it or none. */
export const assignAccount = (
  sids: string[],
  account_sid: string,
  application_sid: string | null,
  onProgress: (done: number) => void,
): Promise<void> => changeEach(sids, { account_sid, application_sid }, onProgress)
