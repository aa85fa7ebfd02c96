import { importNumbers, phoneNumber } from '@trunkline/contract/resources/phone-number'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome, PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { fetchAllPages } from '../../kit/list/all-pages'
import type { ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'
import { toStoredNumber } from '../../lib/phone-number'
import { Problem } from '../../lib/problem'
import { runConcurrently } from './run-concurrently'
import { createErrorOutcome, type ImportEntry } from './import-file'

/** The rows in one request: few enough to show progress, many enough to be fast. */
const batchSize = 2000

export type ReportProgress = (doneCount: number, total: number) => void

interface WriteOptions {
  /** Writes nothing unless every row succeeds. Only for an importer that is atomic. */
  allOrNothing: boolean
  onProgress: ReportProgress
}

/** Checks and writes rows with the requests that this server supports. */
export interface Importer {
  /** The importer can write either all rows or none. */
  isAtomic: boolean
  check: (entries: readonly ImportEntry[], onProgress: ReportProgress, signal: AbortSignal) => Promise<ImportOutcome[]>
  /** Returns the outcome of each row. */
  write: (
    entries: readonly ImportEntry[],
    outcomes: readonly ImportOutcome[],
    options: WriteOptions,
  ) => Promise<ImportOutcome[]>
}

const sendBatch = async (entries: readonly ImportEntry[], write: 'nothing' | 'valid' | 'all', signal?: AbortSignal) => {
  const body = { rows: entries.map((entry) => entry.body), write }
  return (await request(importNumbers, { body, ...(signal ? { signal } : {}) })).fates
}

/** Sends the entries in batches, and returns their outcomes. */
const sendBatches = async (
  entries: readonly ImportEntry[],
  write: 'nothing' | 'valid',
  onProgress: ReportProgress,
  signal?: AbortSignal,
) => {
  const outcomes: ImportOutcome[] = []
  for (let start = 0; start < entries.length; start += batchSize) {
    outcomes.push(...(await sendBatch(entries.slice(start, start + batchSize), write, signal)))
    onProgress(outcomes.length, entries.length)
  }
  return outcomes
}

/** The importer for servers with a bulk import, which determine the outcomes themselves. */
export const bulkImporter: Importer = {
  isAtomic: true,
  check: (entries, onProgress, signal) => sendBatches(entries, 'nothing', onProgress, signal),
  write: (entries, _outcomes, { allOrNothing, onProgress }) =>
    allOrNothing ? sendBatch(entries, 'all') : sendBatches(entries, 'valid', onProgress),
}

/** Returns the outcome of a row, given the existing numbers. */
const findOutcome = ({ body }: ImportEntry, existingNumbers: readonly PhoneNumber[]): ImportOutcome => {
  if (!body.number) return createErrorOutcome('number', messages.import.noNumber)
  if (!body.voip_carrier_sid) return createErrorOutcome('voip_carrier_sid', messages.import.noCarrier)
  const numberOnCarrier = existingNumbers.find(({ voip_carrier_sid }) => voip_carrier_sid === body.voip_carrier_sid)
  if (!numberOnCarrier)
    return existingNumbers.length > 0 ? createErrorOutcome('number', messages.duplicateNumber) : { fate: 'add' }
  const hasChanges = (['account_sid', 'application_sid'] as const).some(
    (name) => name in body && body[name] !== numberOnCarrier[name],
  )
  return { fate: hasChanges ? 'change' : 'same' }
}

/**
 * Converts a refusal to the outcome of a row. If someone else has added the number meanwhile, v1 servers return the
 * database's error message.
 */
const toOutcome = ({ status, msg, field }: Problem): ImportOutcome =>
  status === 422 && /duplicate/i.test(msg)
    ? createErrorOutcome('number', messages.duplicateNumber)
    : { fate: 'wrong', msg, ...(field ? { field } : {}) }

/** Creates the importer for other servers: reads the existing numbers, then sends a request per row. */
export const createRowImporter = (source: ListSource<PhoneNumber>): Importer => {
  /** By number, in the stored format. A number can exist once per carrier. */
  const existingNumbers = new Map<string, PhoneNumber[]>()
  const findExistingNumbers = ({ body }: ImportEntry) => existingNumbers.get(toStoredNumber(body.number ?? '')) ?? []
  const writeRow = (
    { body: { number, voip_carrier_sid, ...otherColumns } }: ImportEntry,
    outcome: ImportOutcome,
    numberOnCarrier: PhoneNumber | undefined,
  ) =>
    outcome.fate === 'change' && numberOnCarrier
      ? request(phoneNumber.update, {
          params: { phone_number_sid: numberOnCarrier.phone_number_sid },
          body: otherColumns,
        })
      : request(phoneNumber.create, { body: { ...otherColumns, number: number ?? '', voip_carrier_sid } })
  return {
    isAtomic: false,
    async check(entries, onProgress, signal) {
      existingNumbers.clear()
      for await (const { rows } of fetchAllPages(source, {}, signal))
        for (const row of rows) {
          const number = toStoredNumber(row.number)
          existingNumbers.set(number, [...(existingNumbers.get(number) ?? []), row])
        }
      onProgress(entries.length, entries.length)
      return entries.map((entry) => findOutcome(entry, findExistingNumbers(entry)))
    },
    async write(entries, outcomes, { onProgress }) {
      const finalOutcomes = [...outcomes]
      const indexesToWrite = [...entries.keys()].filter((index) =>
        ['add', 'change'].includes(outcomes[index]?.fate ?? ''),
      )
      let doneCount = 0
      await runConcurrently(indexesToWrite, async (index) => {
        const entry = entries[index]!
        const numberOnCarrier = findExistingNumbers(entry).find(
          ({ voip_carrier_sid }) => voip_carrier_sid === entry.body.voip_carrier_sid,
        )
        await writeRow(entry, outcomes[index]!, numberOnCarrier).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          finalOutcomes[index] = toOutcome(error)
        })
        onProgress((doneCount += 1), indexesToWrite.length)
      })
      return finalOutcomes
    },
  }
}
