import type { Point } from '../../../ports/call-history'

/** A line break ends a point, even inside quotes. */
const replaceLineBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** A trailing backslash would escape the separator that follows. */
const escapeKey = (text: string) => replaceLineBreaks(text).replace(/\\+$/, '').replace(/[,= ]/g, '\\$&')

const valueOf = (value: string | number | boolean, isInteger: boolean) => {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return isInteger && Number.isSafeInteger(value) ? `${value}i` : String(value)
}

const noIntegerFields: ReadonlySet<string> = new Set()

/**
 * Formats a point as a line of the line protocol; undefined if it has no field.
 * @param integerFields fields written as integers; others are written as floats, as the platform's servers do
 */
export const lineOf = (
  measurement: string,
  { tags, fields, time }: Point,
  integerFields = noIntegerFields,
): string | undefined => {
  const tagText = Object.entries(tags)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `,${escapeKey(name)}=${escapeKey(value)}`)
  const values = Object.entries(fields).map(
    ([name, value]) => `${escapeKey(name)}=${valueOf(value, integerFields.has(name))}`,
  )
  return values.length === 0 ? undefined : `${measurement}${tagText.join('')} ${values.join(',')} ${time}`
}

/** A regular expression that matches the text anywhere, ignoring case. All characters except letters and digits are escaped. */
export const containsPattern = (text: string): string =>
  `/(?i)${[...text].map((char) => (/[A-Za-z0-9]/.test(char) ? char : `\\x{${char.codePointAt(0)!.toString(16)}}`)).join('')}/`
