import type { Point } from '../../../ports/call-history'

/** Keys and tags cannot be quoted, so a line break in them would end the line. */
const replaceLineBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** Escapes a tag, or the key of a field. A trailing backslash is removed, because it would escape the separator that follows. */
const escapeKeyOrTag = (text: string) => replaceLineBreaks(text).replace(/\\+$/, '').replace(/[,= ]/g, '\\$&')

const formatValue = (value: string | number | boolean, isInteger: boolean) => {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return isInteger && Number.isSafeInteger(value) ? `${value}i` : String(value)
}

const noIntegerFields: ReadonlySet<string> = new Set()

/**
 * Formats a point as a line of the line protocol; undefined if it has no field.
 * @param integerFields fields written as integers; others are written as floats, as the platform's servers do
 */
export const formatLine = (
  measurement: string,
  { tags, fields, timeNs }: Point,
  integerFields = noIntegerFields,
): string | undefined => {
  const tagTexts = Object.entries(tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [escapeKeyOrTag(name), escapeKeyOrTag(value)])
    // Escaping may leave nothing. A line with an empty key or tag is invalid.
    .filter(([name, value]) => name !== '' && value !== '')
    .map(([name, value]) => `,${name}=${value}`)
  const fieldTexts = Object.entries(fields)
    .map(([name, value]) => [escapeKeyOrTag(name), formatValue(value, integerFields.has(name))])
    .filter(([name]) => name !== '')
    .map(([name, value]) => `${name}=${value}`)
  return fieldTexts.length === 0 ? undefined : `${measurement}${tagTexts.join('')} ${fieldTexts.join(',')} ${timeNs}`
}

/** Escapes all characters except letters and digits. */
const escapePattern = (text: string): string =>
  [...text].map((char) => (/[A-Za-z0-9]/.test(char) ? char : `\\x{${char.codePointAt(0)!.toString(16)}}`)).join('')

/** Builds a regular expression that finds the text anywhere, ignoring case. */
export const buildContainsPattern = (text: string): string => `/(?i)${escapePattern(text)}/`

/** Builds a regular expression for these phone numbers, with or without a leading plus. */
export const buildNumberPattern = (numbers: readonly string[]): string =>
  `/(?i)^\\x{2b}?(${numbers.map(escapePattern).join('|')})$/`
