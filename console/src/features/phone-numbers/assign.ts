import { assignApplication, phoneNumber } from '@trunkline/contract/resources/phone-number'
import { call } from '../../lib/client'

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

/** One application for many numbers: in one call where the server has it, else number by number. */
export const assign = async (sids: string[], application_sid: string | null, bulk: boolean): Promise<void> => {
  if (bulk) await call(assignApplication, { body: { phone_number_sids: sids, application_sid } })
  else
    await fewAtOnce(sids, (phone_number_sid) =>
      call(phoneNumber.update, { params: { phone_number_sid }, body: { application_sid } }),
    )
}
