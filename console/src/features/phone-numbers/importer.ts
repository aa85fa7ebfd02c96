import { importNumbers, phoneNumber } from '@trunkline/contract/resources/phone-number'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome, PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { fetchAllPages } from '../../kit/list/all-pages'
import type { ListSource } from '../../kit/record/record'
import { request } from '../../lib/client'
import { toStoredNumber } from '../../lib/phone-number'
import { Problem } from '../../lib/problem'
import { fewAtOnce } from './assign-requests'
import type { Entry } from './import-file'

/** Rows per request: few enough to show progress, many enough to be fast. */
const together = 2000

export type Progress = (done: number, total: number) => void

/** Checks and writes rows with the requests that this server supports. */
export interface Importer {
  /** The server can write either all rows or none. */
  whole: boolean
  check: (entries: readonly Entry[], onProgress: Progress, signal: AbortSignal) => Promise<ImportOutcome[]>
  /** Returns the outcome of each row. `all`: write nothing unless every row succeeds. */
  write: (
    entries: readonly Entry[],
    fates: readonly ImportOutcome[],
    all: boolean,
    onProgress: Progress,
  ) => Promise<ImportOutcome[]>
}

const send = async (entries: readonly Entry[], write: 'nothing' | 'valid' | 'all', signal?: AbortSignal) => {
  const body = { rows: entries.map(({ sent }) => sent), write }
  return (await request(importNumbers, { body, ...(signal ? { signal } : {}) })).fates
}

/** For servers with a bulk import, which decide the outcomes themselves. */
export const byServer: Importer = {
  whole: true,
  async check(entries, onProgress, signal) {
    const fates: ImportOutcome[] = []
    for (let from = 0; from < entries.length; from += together) {
      fates.push(...(await send(entries.slice(from, from + together), 'nothing', signal)))
      onProgress(fates.length, entries.length)
    }
    return fates
  },
  async write(entries, _fates, all, onProgress) {
    if (all) return send(entries, 'all')
    const fates: ImportOutcome[] = []
    for (let from = 0; from < entries.length; from += together) {
      fates.push(...(await send(entries.slice(from, from + together), 'valid')))
      onProgress(fates.length, entries.length)
    }
    return fates
  },
}

/** Returns the outcome of a row, given the existing numbers. */
const fateOf = ({ sent }: Entry, held: readonly PhoneNumber[]): ImportOutcome => {
  const wrong = (field: string, msg: string): ImportOutcome => ({ fate: 'wrong', field, msg })
  if (!sent.number) return wrong('number', messages.import.noNumber)
  if (!sent.voip_carrier_sid) return wrong('voip_carrier_sid', messages.import.noCarrier)
  const same = held.find(({ voip_carrier_sid }) => voip_carrier_sid === sent.voip_carrier_sid)
  if (!same) return held.length > 0 ? wrong('number', messages.duplicateNumber) : { fate: 'add' }
  const differs = (['account_sid', 'application_sid'] as const).some(
    (name) => name in sent && sent[name] !== same[name],
  )
  return { fate: differs ? 'change' : 'same' }
}

/** Detects a number that someone else has added meanwhile: v1 servers return the database's error message. */
const refusal = ({ status, msg, field }: Problem): ImportOutcome =>
  status === 422 && /duplicate/i.test(msg)
    ? { fate: 'wrong', field: 'number', msg: messages.duplicateNumber }
    : { fate: 'wrong', msg, ...(field ? { field } : {}) }

/** For other servers: reads the existing numbers, then sends a request per row. */
export const rowByRow = (source: ListSource<PhoneNumber>): Importer => {
  const held = new Map<string, PhoneNumber[]>()
  const heldAs = ({ sent }: Entry) => held.get(toStoredNumber(sent.number ?? '')) ?? []
  const one = (
    { sent: { number, voip_carrier_sid, ...rest } }: Entry,
    fate: ImportOutcome,
    same: PhoneNumber | undefined,
  ) =>
    fate.fate === 'change' && same
      ? request(phoneNumber.update, { params: { phone_number_sid: same.phone_number_sid }, body: rest })
      : request(phoneNumber.create, { body: { ...rest, number: number ?? '', voip_carrier_sid } })
  return {
    whole: false,
    async check(entries, onProgress, signal) {
      held.clear()
      for await (const { rows } of fetchAllPages(source, {}, signal))
        for (const row of rows)
          held.set(toStoredNumber(row.number), [...(held.get(toStoredNumber(row.number)) ?? []), row])
      onProgress(entries.length, entries.length)
      return entries.map((entry) => fateOf(entry, heldAs(entry)))
    },
    async write(entries, fates, _all, onProgress) {
      const after = [...fates]
      const due = [...entries.keys()].filter((at) => ['add', 'change'].includes(fates[at]?.fate ?? ''))
      let done = 0
      await fewAtOnce(due, async (at) => {
        const entry = entries[at]!
        const same = heldAs(entry).find(({ voip_carrier_sid }) => voip_carrier_sid === entry.sent.voip_carrier_sid)
        await one(entry, fates[at]!, same).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          after[at] = refusal(error)
        })
        onProgress((done += 1), due.length)
      })
      return after
    },
  }
}
