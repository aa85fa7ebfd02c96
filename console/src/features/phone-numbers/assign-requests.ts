import { messages } from '@trunkline/contract/messages/general'
import { assignApplication, phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber, PhoneNumberChanges } from '@trunkline/contract/shapes/phone-number'
import { runEach, type BulkFailure, type BulkRun } from '../../kit/list/run-bulk'
import { isRecordGone } from '../../kit/record/record'
import { request } from '../../lib/client'
import { Problem, getErrorMessage } from '../../lib/problem'

/** The numbers in one request, for servers that accept many: few enough to show progress. */
const batchSize = 2000

const fail = (rows: readonly PhoneNumber[], message: string): BulkFailure<PhoneNumber>[] =>
  rows.map((row) => ({ row, message }))

/** Assigns one batch. If the server refuses it, no number has changed. */
const assignBatch = async (rows: readonly PhoneNumber[], application_sid: string | null) => {
  const phone_number_sids = rows.map((row) => row.phone_number_sid)
  try {
    const { unknown_sids } = await request(assignApplication, { body: { phone_number_sids, application_sid } })
    return fail(
      rows.filter((row) => unknown_sids.includes(row.phone_number_sid)),
      messages.recordGone,
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.hasEndedSession) throw error
    // the server refuses a batch of which no number exists
    return fail(rows, error.field === 'phone_number_sids' ? messages.recordGone : getErrorMessage(error))
  }
}

const assignBatches =
  (application_sid: string | null): BulkRun<PhoneNumber> =>
  async (rows, onProgress) => {
    const failures: BulkFailure<PhoneNumber>[] = []
    for (let start = 0; start < rows.length; start += batchSize) {
      const batch = rows.slice(start, start + batchSize)
      failures.push(...(await assignBatch(batch, application_sid)))
      onProgress(start + batch.length)
    }
    return failures
  }

/** Changes each number with its own request. */
export const updateEach =
  (getChanges: (row: PhoneNumber) => PhoneNumberChanges): BulkRun<PhoneNumber> =>
  (rows, onProgress) =>
    runEach(
      rows,
      (row) =>
        request(phoneNumber.update, {
          params: { phone_number_sid: row.phone_number_sid },
          body: getChanges(row),
        }).catch(async (error: unknown) => {
          if (!(await isRecordGone(phoneNumber, row.phone_number_sid))) throw error
          throw new Problem(404, undefined)
        }),
      onProgress,
    )

/** Assigns an application to many numbers: many per request if the server supports it, otherwise one by one. */
export const assignApplicationToNumbers = (application_sid: string | null, hasBulkAssign: boolean) =>
  hasBulkAssign ? assignBatches(application_sid) : updateEach(() => ({ application_sid }))

/** Gives numbers the account and the application that they had before. */
export const restoreAssignment = updateEach(({ account_sid, application_sid }) => ({ account_sid, application_sid }))
