import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { parseCsv } from '../../lib/csv'
import { stripPunctuation, toStoredNumber } from '../../lib/phone-number'

/** A record that a file may refer to: a carrier, an account or an application. */
export interface Named {
  sid: string
  name: string
  /** Applications only: the owner. */
  account_sid?: string | null
}

export interface Catalogue {
  carriers: readonly Named[]
  accounts: readonly Named[]
  applications: readonly Named[]
}

/** A line of the file, with its cells unchanged. */
export interface Line {
  /** The line number in the file, from 1. */
  line: number
  number: string
  /** Absent if the file has no such column. */
  carrier?: string
  account?: string
  application?: string
}

/** A line with the body to send, or why it is invalid. */
export interface Entry extends Line {
  sent: Record<string, string | null>
  fault?: ImportOutcome & { fate: 'wrong' }
}

/** A line and its outcome. */
export interface Row {
  entry: Entry
  fate: ImportOutcome
}

/** Accepted column names: API names and common ones. A SID column takes precedence over a name column. */
const columns = {
  number: ['number', 'phone number'],
  carrier: ['voip_carrier_sid', 'voip_carrier_name', 'carrier'],
  account: ['account_sid', 'account_name', 'account'],
  application: ['application_sid', 'application_name', 'application'],
} as const
type Part = keyof typeof columns

/** The maximum number of rows per import. */
export const mostRows = 50_000

/** Returns the lines of a CSV file, or the error of the whole file. */
export const readFile = (text: string): { lines: Line[] } | { why: string } => {
  const [head, ...rest] = parseCsv(text)
  const names = (head?.cells ?? []).map((name) => name.toLowerCase())
  const places = (part: Part) => columns[part].map((name) => names.indexOf(name)).filter((at) => at >= 0)
  if (places('number').length === 0) return { why: messages.import.noColumn }
  if (rest.length === 0) return { why: messages.import.noRows }
  if (rest.length > mostRows) return { why: messages.import.tooMany(mostRows) }
  const [numberAt, ...others] = (Object.keys(columns) as Part[]).map((part) => [part, places(part)] as const)
  const cell = (cells: string[], at: readonly number[]) => at.map((place) => cells[place]?.trim()).find(Boolean) ?? ''
  const lines = rest.map(({ line, cells }) => ({
    line,
    number: cell(cells, numberAt?.[1] ?? []),
    ...Object.fromEntries(others.filter(([, at]) => at.length > 0).map(([part, at]) => [part, cell(cells, at)])),
  }))
  return { lines }
}

/** Returns whether the file refers to any record by name instead of SID. */
export const namesAnything = (lines: readonly Line[]): boolean =>
  lines.some(({ carrier, account, application }) =>
    [carrier, account, application].some((word) => word !== undefined && word !== '' && !isSid(word)),
  )

const isSid = (word: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)

const wrong = (msg: string, field: string): Entry['fault'] => ({ fate: 'wrong', msg, field })

/** Groups records by their lower-case names. */
const byName = (records: readonly Named[]) => {
  const found = new Map<string, Named[]>()
  for (const record of records) {
    const name = record.name.toLowerCase()
    found.set(name, [...(found.get(name) ?? []), record])
  }
  return found
}

/** Resolves the names in the lines to SIDs. `own`: the signed-in user's account, which owns all imported numbers. */
export const resolve = (lines: readonly Line[], catalogue: Catalogue, own: string | undefined): Entry[] => {
  const known = {
    carrier: byName(catalogue.carriers),
    account: byName(catalogue.accounts),
    application: byName(catalogue.applications),
  }
  const seen = new Map<string, number>()

  const sidOf = (part: 'carrier' | 'account' | 'application', word: string, account_sid?: string | null) => {
    if (word === '') return { sid: null }
    if (isSid(word)) return { sid: word }
    const all = known[part].get(word.toLowerCase()) ?? []
    // application names are unique per account only
    const fitting = account_sid ? all.filter((each) => each.account_sid === account_sid) : all
    const [only, second] = part === 'application' ? fitting : all
    if (!only) return { msg: messages.import.unknownRecord(part, word) }
    return second ? { msg: messages.import.ambiguousRecord(part, word) } : { sid: only.sid }
  }

  return lines.map((line): Entry => {
    const number = stripPunctuation(line.number)
    const sent: Entry['sent'] = { number }
    const entry = { ...line, sent }
    const parts = [
      ['carrier', 'voip_carrier_sid', line.carrier],
      ['account', 'account_sid', own ?? line.account],
      ['application', 'application_sid', line.application],
    ] as const
    const faults: { msg: string; field: string }[] = []
    for (const [part, field, word] of parts) {
      if (word === undefined) continue
      const found = sidOf(part, word, sent.account_sid)
      if (found.msg === undefined) sent[field] = found.sid
      else faults.push({ msg: found.msg, field })
    }
    const [first] = faults
    if (first) return { ...entry, fault: wrong(faults.map(({ msg }) => msg).join(' '), first.field) }
    const key = `${toStoredNumber(number)} ${sent.voip_carrier_sid ?? ''}`
    const before = seen.get(key)
    if (before !== undefined) return { ...entry, fault: wrong(messages.duplicateLine(before), 'number') }
    seen.set(key, line.line)
    return entry
  })
}

/**
 * Refuses the second of two lines that would add the same number on different carriers: after the first, the number is
 * a duplicate. The server checks the lines in batches, so it may miss this.
 */
export const refuseTwins = (rows: readonly Row[]): Row[] => {
  const added = new Map<string, number>()
  return rows.map((row) => {
    const { entry, fate } = row
    const number = toStoredNumber(entry.sent.number ?? '')
    const before = added.get(number)
    if (before !== undefined && (fate.fate === 'add' || fate.field === 'number'))
      return { entry, fate: { fate: 'wrong', msg: messages.duplicateLine(before), field: 'number' } }
    if (fate.fate === 'add') added.set(number, entry.line)
    return row
  })
}
