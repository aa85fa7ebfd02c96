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

/** A line of the file, with its cells as they are in the file. */
export interface ImportLine {
  /** The line number in the file, from 1. */
  lineNumber: number
  number: string
  /** The name or SID of the carrier. Absent if the file has no such column, as the two below. */
  carrier?: string
  account?: string
  application?: string
}

/** A line with the body to send, and its error if it is invalid. */
export interface ImportEntry extends ImportLine {
  body: Record<string, string | null>
  error?: ImportOutcome & { fate: 'wrong' }
}

/** An entry and its outcome, before or after the import. */
export interface ImportRow {
  entry: ImportEntry
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

/** Returns the lines of a CSV file, or the reason why it cannot be imported. */
export const parseFile = (text: string): { lines: ImportLine[] } | { error: string } => {
  const [header, ...dataRows] = parseCsv(text)
  const names = (header?.cells ?? []).map((name) => name.toLowerCase())
  const findColumnIndexes = (key: ColumnKey) =>
    columnNames[key].map((name) => names.indexOf(name)).filter((index) => index >= 0)
  if (findColumnIndexes('number').length === 0) return { error: messages.import.noColumn }
  if (dataRows.length === 0) return { error: messages.import.noRows }
  if (dataRows.length > maxRows) return { error: messages.import.tooMany(maxRows) }
  const [numberColumn, ...otherColumns] = (Object.keys(columnNames) as ColumnKey[]).map(
    (key) => [key, findColumnIndexes(key)] as const,
  )
  const getCellText = (cells: string[], indexes: readonly number[]) =>
    indexes.map((index) => cells[index]?.trim()).find(Boolean) ?? ''
  const lines = dataRows.map(({ line: lineNumber, cells }) => ({
    lineNumber,
    number: getCellText(cells, numberColumn?.[1] ?? []),
    ...Object.fromEntries(
      otherColumns
        .filter(([, indexes]) => indexes.length > 0)
        .map(([key, indexes]) => [key, getCellText(cells, indexes)]),
    ),
  }))
  return { lines }
}

/** Returns whether the file refers to any record by name instead of SID. */
export const refersByName = (lines: readonly ImportLine[]): boolean =>
  lines.some(({ carrier, account, application }) =>
    [carrier, account, application].some((text) => text !== undefined && text !== '' && !isSid(text)),
  )

const isSid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Creates the outcome of a row that cannot be imported. */
export const createErrorOutcome = (field: string, msg: string): ImportOutcome & { fate: 'wrong' } => ({
  fate: 'wrong',
  field,
  msg,
})

/** Groups records by their lower-case names. */
const groupByName = (records: readonly NamedRecord[]) => {
  const groups = new Map<string, NamedRecord[]>()
  for (const record of records) {
    const name = record.name.toLowerCase()
    groups.set(name, [...(groups.get(name) ?? []), record])
  }
  return groups
}

/**
 * Resolves the names in the lines to SIDs. `ownAccountSid`: the account of a user with account scope, which owns all
 * imported numbers.
 */
export const resolveLines = (
  lines: readonly ImportLine[],
  records: ImportRecords,
  ownAccountSid: string | undefined,
): ImportEntry[] => {
  const recordsByName = {
    carrier: groupByName(records.carriers),
    account: groupByName(records.accounts),
    application: groupByName(records.applications),
  }
  const firstLineNumbers = new Map<string, number>()

  const resolveSid = (column: 'carrier' | 'account' | 'application', text: string, account_sid?: string | null) => {
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

  return lines.map((line): ImportEntry => {
    const number = stripPunctuation(line.number)
    const body: ImportEntry['body'] = { number }
    const entry = { ...line, body }
    const references = [
      ['carrier', 'voip_carrier_sid', line.carrier],
      ['account', 'account_sid', ownAccountSid ?? line.account],
      ['application', 'application_sid', line.application],
    ] as const
    const errors: { msg: string; field: string }[] = []
    for (const [column, field, text] of references) {
      if (text === undefined) continue
      const result = resolveSid(column, text, body.account_sid)
      if (result.msg === undefined) body[field] = result.sid
      else errors.push({ msg: result.msg, field })
    }
    const [firstError] = errors
    if (firstError)
      return { ...entry, error: createErrorOutcome(firstError.field, errors.map(({ msg }) => msg).join(' ')) }
    const key = `${toStoredNumber(number)} ${body.voip_carrier_sid ?? ''}`
    const firstLineNumber = firstLineNumbers.get(key)
    if (firstLineNumber !== undefined)
      return { ...entry, error: createErrorOutcome('number', messages.duplicateLine(firstLineNumber)) }
    firstLineNumbers.set(key, line.lineNumber)
    return entry
  })
}

/**
 * Refuses the second of two lines that would add the same number on different carriers: after the first, the number is
 * a duplicate. The server checks the lines in batches, so it may miss this.
 */
export const refuseDuplicates = (rows: readonly ImportRow[]): ImportRow[] => {
  const addedLineNumbers = new Map<string, number>()
  return rows.map((row) => {
    const { entry, outcome } = row
    const number = toStoredNumber(entry.body.number ?? '')
    const firstLineNumber = addedLineNumbers.get(number)
    // the check may already have refused the number: the error then names the other line, which is more helpful
    if (firstLineNumber !== undefined && (outcome.fate === 'add' || outcome.field === 'number'))
      return { entry, outcome: createErrorOutcome('number', messages.duplicateLine(firstLineNumber)) }
    if (outcome.fate === 'add') addedLineNumbers.set(number, entry.lineNumber)
    return row
  })
}
