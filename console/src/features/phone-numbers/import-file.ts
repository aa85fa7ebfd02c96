import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { parseCsv } from '../../lib/csv'
import { plainNumber, storedNumber } from '../../lib/phone'

/** A record that a file may name: a carrier, an account, an application. */
export interface Named {
  sid: string
  name: string
  /** Applications: whose. */
  account_sid?: string | null
}

export interface Catalogue {
  carriers: readonly Named[]
  accounts: readonly Named[]
  applications: readonly Named[]
}

/** What a file says, with the words of its cells as they are. */
export interface Line {
  /** Where it begins in the file, as editors count. */
  line: number
  number: string
  /** Absent: the file has no such column. */
  carrier?: string
  account?: string
  application?: string
}

/** A line with what is sent for it, or why it cannot be. */
export interface Entry extends Line {
  sent: Record<string, string | null>
  fault?: ImportOutcome & { fate: 'wrong' }
}

/** A line and what becomes of it. */
export interface Row {
  entry: Entry
  fate: ImportOutcome
}

/** What a column may be called: as on the wire, or as people say. A sid comes before a name. */
const columns = {
  number: ['number', 'phone number'],
  carrier: ['voip_carrier_sid', 'voip_carrier_name', 'carrier'],
  account: ['account_sid', 'account_name', 'account'],
  application: ['application_sid', 'application_name', 'application'],
} as const
type Part = keyof typeof columns

/** As many as are taken at once. */
export const mostRows = 50_000

/** The lines of a CSV file, or what is wrong with the file as a whole. */
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

/** Does the file name anything otherwise than by its sid? */
export const namesAnything = (lines: readonly Line[]): boolean =>
  lines.some(({ carrier, account, application }) =>
    [carrier, account, application].some((word) => word !== undefined && word !== '' && !isSid(word)),
  )

const isSid = (word: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)

const wrong = (msg: string, field: string): Entry['fault'] => ({ fate: 'wrong', msg, field })

/** Records by their names in lower case. */
const byName = (records: readonly Named[]) => {
  const found = new Map<string, Named[]>()
  for (const record of records) {
    const name = record.name.toLowerCase()
    found.set(name, [...(found.get(name) ?? []), record])
  }
  return found
}

/** Finds what the lines name. `own`: the account of who is signed in, which all its numbers belong to. */
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
    // two accounts may well have a 'front desk' each
    const fitting = account_sid ? all.filter((each) => each.account_sid === account_sid) : all
    const [only, second] = part === 'application' ? fitting : all
    if (!only) return { msg: messages.import.unknown(part, word) }
    return second ? { msg: messages.import.several(part, word) } : { sid: only.sid }
  }

  return lines.map((line): Entry => {
    const number = plainNumber(line.number)
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
    const key = `${storedNumber(number)} ${sent.voip_carrier_sid ?? ''}`
    const before = seen.get(key)
    if (before !== undefined) return { ...entry, fault: wrong(messages.twice(before), 'number') }
    seen.set(key, line.line)
    return entry
  })
}

/**
 * Of a number that two lines would add over different carriers the second is refused: once the first is there it is taken.
 * Servers look at some lines at a time, and know them by no number.
 */
export const refuseTwins = (rows: readonly Row[]): Row[] => {
  const added = new Map<string, number>()
  return rows.map((row) => {
    const { entry, fate } = row
    const number = storedNumber(entry.sent.number ?? '')
    const before = added.get(number)
    if (before !== undefined && (fate.fate === 'add' || fate.field === 'number'))
      return { entry, fate: { fate: 'wrong', msg: messages.twice(before), field: 'number' } }
    if (fate.fate === 'add') added.set(number, entry.line)
    return row
  })
}
