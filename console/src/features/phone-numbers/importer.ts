import { importNumbers, phoneNumber } from '@trunkline/contract/resources/phone-number'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome, PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { fetchAllPages } from '../../kit/list/all-pages'
import type { ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'
import { toStoredNumber } from '../../lib/phone-number'
import { Problem } from '../../lib/problem'
import { runConcurrently } from './assign-requests'
import type { Entry } from './import-file'

/** Rows per request: few enough to show progress, many enough to be fast. */
const batchSize = 2000

export type Progress = (doneCount: number, total: number) => void

/** Checks and writes rows with the requests that this server supports. */
export interface Importer {
  /** The server can write either all rows or none. */
  isAtomic: boolean
  check: (entries: readonly Entry[], onProgress: Progress, signal: AbortSignal) => Promise<ImportOutcome[]>
  /** Returns the outcome of each row. `all`: write nothing unless every row succeeds. */
  write: (
    entries: readonly Entry[],
    outcomes: readonly ImportOutcome[],
    allOrNothing: boolean,
    onProgress: Progress,
  ) => Promise<ImportOutcome[]>
}

const sendBatch = async (entries: readonly Entry[], write: 'nothing' | 'valid' | 'all', signal?: AbortSignal) => {
  const body = { rows: entries.map((entry) => entry.body), write }
  return (await request(importNumbers, { body, ...(signal ? { signal } : {}) })).fates
}

/** For servers with a bulk import, which decide the outcomes themselves. */
export const bulkImporter: Importer = {
  isAtomic: true,
  async check(entries, onProgress, signal) {
    const outcomes: ImportOutcome[] = []
    for (let from = 0; from < entries.length; from += batchSize) {
      outcomes.push(...(await sendBatch(entries.slice(from, from + batchSize), 'nothing', signal)))
      onProgress(outcomes.length, entries.length)
    }
    return outcomes
  },
  async write(entries, _fates, allOrNothing, onProgress) {
    if (allOrNothing) return sendBatch(entries, 'all')
    const outcomes: ImportOutcome[] = []
    for (let from = 0; from < entries.length; from += batchSize) {
      outcomes.push(...(await sendBatch(entries.slice(from, from + batchSize), 'valid')))
      onProgress(outcomes.length, entries.length)
    }
    return outcomes
  },
}

/** Returns the outcome of a row, given the existing numbers. */
const outcomeOf = ({ body }: Entry, existing: readonly PhoneNumber[]): ImportOutcome => {
  const invalid = (field: string, msg: string): ImportOutcome => ({ fate: 'wrong', field, msg })
  if (!body.number) return invalid('number', messages.import.noNumber)
  if (!body.voip_carrier_sid) return invalid('voip_carrier_sid', messages.import.noCarrier)
  const sameCarrier = existing.find(({ voip_carrier_sid }) => voip_carrier_sid === body.voip_carrier_sid)
  if (!sameCarrier) return existing.length > 0 ? invalid('number', messages.duplicateNumber) : { fate: 'add' }
  const hasChanges = (['account_sid', 'application_sid'] as const).some(
    (name) => name in body && body[name] !== sameCarrier[name],
  )
  return { fate: hasChanges ? 'change' : 'same' }
}

/** Detects a number that someone else has added meanwhile: v1 servers return the database's error message. */
const outcomeOfProblem = ({ status, msg, field }: Problem): ImportOutcome =>
  status === 422 && /duplicate/i.test(msg)
    ? { fate: 'wrong', field: 'number', msg: messages.duplicateNumber }
    : { fate: 'wrong', msg, ...(field ? { field } : {}) }

/** For other servers: reads the existing numbers, then sends a request per row. */
export const createRowImporter = (source: ListSource<PhoneNumber>): Importer => {
  const existingNumbers = new Map<string, PhoneNumber[]>()
  const existingFor = ({ body }: Entry) => existingNumbers.get(toStoredNumber(body.number ?? '')) ?? []
  const writeRow = (
    { body: { number, voip_carrier_sid, ...otherColumns } }: Entry,
    outcome: ImportOutcome,
    sameCarrier: PhoneNumber | undefined,
  ) =>
    outcome.fate === 'change' && sameCarrier
      ? request(phoneNumber.update, { params: { phone_number_sid: sameCarrier.phone_number_sid }, body: otherColumns })
      : request(phoneNumber.create, { body: { ...otherColumns, number: number ?? '', voip_carrier_sid } })
  return {
    isAtomic: false,
    async check(entries, onProgress, signal) {
      existingNumbers.clear()
      for await (const { rows } of fetchAllPages(source, {}, signal))
        for (const row of rows)
          existingNumbers.set(toStoredNumber(row.number), [
            ...(existingNumbers.get(toStoredNumber(row.number)) ?? []),
            row,
          ])
      onProgress(entries.length, entries.length)
      return entries.map((entry) => outcomeOf(entry, existingFor(entry)))
    },
    async write(entries, outcomes, _all, onProgress) {
      const finalOutcomes = [...outcomes]
      const indexesToWrite = [...entries.keys()].filter((index) =>
        ['add', 'change'].includes(outcomes[index]?.fate ?? ''),
      )
      let doneCount = 0
      await runConcurrently(indexesToWrite, async (index) => {
        const entry = entries[index]!
        const sameCarrier = existingFor(entry).find(
          ({ voip_carrier_sid }) => voip_carrier_sid === entry.body.voip_carrier_sid,
        )
        await writeRow(entry, outcomes[index]!, sameCarrier).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          finalOutcomes[index] = outcomeOfProblem(error)
        })
        onProgress((doneCount += 1), indexesToWrite.length)
      })
      return finalOutcomes
    },
  }
}
