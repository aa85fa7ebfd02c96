import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { parseCsv } from '../../lib/csv'
import { stripPunctuation, toStoredNumber } from '../../lib/phone-number'

/** A record that a file may refer to: a carrier, an account or an application. */
export interface NamedRecord {
  sid: string
  name: string
  /** Applications only: the owner. */
  account_sid?: string | null
}

export interface ImportRecords {
  carriers: readonly NamedRecord[]
  accounts: readonly NamedRecord[]
  applications: readonly NamedRecord[]
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
  body: Record<string, string | null>
  error?: ImportOutcome & { fate: 'wrong' }
}

/** A line and its outcome. */
export interface Row {
  entry: Entry
  outcome: ImportOutcome
}

/** Accepted column names: API names and common ones. A SID column takes precedence over a name column. */
const columnNames = {
  number: ['number', 'phone number'],
  carrier: ['voip_carrier_sid', 'voip_carrier_name', 'carrier'],
  account: ['account_sid', 'account_name', 'account'],
  application: ['application_sid', 'application_name', 'application'],
} as const
type ColumnKey = keyof typeof columnNames

/** The maximum number of rows per import. */
export const maxRows = 50_000

/** Returns the lines of a CSV file, or the error of the whole file. */
export const parseFile = (text: string): { lines: Line[] } | { error: string } => {
  const [header, ...dataRows] = parseCsv(text)
  const names = (header?.cells ?? []).map((name) => name.toLowerCase())
  const columnIndexes = (key: ColumnKey) =>
    columnNames[key].map((name) => names.indexOf(name)).filter((index) => index >= 0)
  if (columnIndexes('number').length === 0) return { error: messages.import.noColumn }
  if (dataRows.length === 0) return { error: messages.import.noRows }
  if (dataRows.length > maxRows) return { error: messages.import.tooMany(maxRows) }
  const [numberColumn, ...otherColumns] = (Object.keys(columnNames) as ColumnKey[]).map(
    (key) => [key, columnIndexes(key)] as const,
  )
  const cellText = (cells: string[], indexes: readonly number[]) =>
    indexes.map((index) => cells[index]?.trim()).find(Boolean) ?? ''
  const lines = dataRows.map(({ line, cells }) => ({
    line,
    number: cellText(cells, numberColumn?.[1] ?? []),
    ...Object.fromEntries(
      otherColumns.filter(([, indexes]) => indexes.length > 0).map(([key, at]) => [key, cellText(cells, at)]),
    ),
  }))
  return { lines }
}

/** Returns whether the file refers to any record by name instead of SID. */
export const refersByName = (lines: readonly Line[]): boolean =>
  lines.some(({ carrier, account, application }) =>
    [carrier, account, application].some((text) => text !== undefined && text !== '' && !isSid(text)),
  )

const isSid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const invalid = (msg: string, field: string): Entry['error'] => ({ fate: 'wrong', msg, field })

/** Groups records by their lower-case names. */
const groupByName = (records: readonly NamedRecord[]) => {
  const groups = new Map<string, NamedRecord[]>()
  for (const record of records) {
    const name = record.name.toLowerCase()
    groups.set(name, [...(groups.get(name) ?? []), record])
  }
  return groups
}

/** Resolves the names in the lines to SIDs. `ownAccountSid`: the signed-in user's account, which owns all imported numbers. */
export const resolveLines = (
  lines: readonly Line[],
  catalogue: ImportRecords,
  ownAccountSid: string | undefined,
): Entry[] => {
  const recordsByName = {
    carrier: groupByName(catalogue.carriers),
    account: groupByName(catalogue.accounts),
    application: groupByName(catalogue.applications),
  }
  const firstLines = new Map<string, number>()

  const sidOf = (column: 'carrier' | 'account' | 'application', text: string, account_sid?: string | null) => {
    if (text === '') return { sid: null }
    if (isSid(text)) return { sid: text }
    const candidates = recordsByName[column].get(text.toLowerCase()) ?? []
    // application names are unique per account only
    const ownedCandidates = account_sid
      ? candidates.filter((candidate) => candidate.account_sid === account_sid)
      : candidates
    const [match, otherMatch] = column === 'application' ? ownedCandidates : candidates
    if (!match) return { msg: messages.import.unknownRecord(column, text) }
    return otherMatch ? { msg: messages.import.ambiguousRecord(column, text) } : { sid: match.sid }
  }

  return lines.map((line): Entry => {
    const number = stripPunctuation(line.number)
    const body: Entry['body'] = { number }
    const entry = { ...line, body }
    const parts = [
      ['carrier', 'voip_carrier_sid', line.carrier],
      ['account', 'account_sid', ownAccountSid ?? line.account],
      ['application', 'application_sid', line.application],
    ] as const
    const errors: { msg: string; field: string }[] = []
    for (const [column, field, text] of parts) {
      if (text === undefined) continue
      const resolved = sidOf(column, text, body.account_sid)
      if (resolved.msg === undefined) body[field] = resolved.sid
      else errors.push({ msg: resolved.msg, field })
    }
    const [firstError] = errors
    if (firstError) return { ...entry, error: invalid(errors.map(({ msg }) => msg).join(' '), firstError.field) }
    const key = `${toStoredNumber(number)} ${body.voip_carrier_sid ?? ''}`
    const firstLine = firstLines.get(key)
    if (firstLine !== undefined) return { ...entry, error: invalid(messages.duplicateLine(firstLine), 'number') }
    firstLines.set(key, line.line)
    return entry
  })
}

/**
 * Refuses the second of two lines that would add the same number on different carriers: after the first, the number is
 * a duplicate. The server checks the lines in batches, so it may miss this.
 */
export const refuseDuplicates = (rows: readonly Row[]): Row[] => {
  const addedLines = new Map<string, number>()
  return rows.map((row) => {
    const { entry, outcome } = row
    const number = toStoredNumber(entry.body.number ?? '')
    const firstLine = addedLines.get(number)
    if (firstLine !== undefined && (outcome.fate === 'add' || outcome.field === 'number'))
      return { entry, outcome: { fate: 'wrong', msg: messages.duplicateLine(firstLine), field: 'number' } }
    if (outcome.fate === 'add') addedLines.set(number, entry.line)
    return row
  })
}
