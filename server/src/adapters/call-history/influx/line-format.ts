import type { Point } from '../../../ports/call-history'

/** A line ends a point wherever it stands. */
const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

/** A backslash at the end would make plain what parts this word from the next. */
const escaped = (text: string) => oneLine(text).replace(/\\+$/, '').replace(/[,= ]/g, '\\$&')

const valueOf = (value: string | number | boolean, whole: boolean) => {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return whole && Number.isSafeInteger(value) ? `${value}i` : String(value)
}

const none: ReadonlySet<string> = new Set()

/**
 * A point as a line of InfluxDB's protocol; nothing for one that has no field.
 * @param wholes fields that are written as whole numbers; others are not, as the platform's servers write them
 */
export const lineOf = (measurement: string, { tags, fields, time }: Point, wholes = none): string | undefined => {
  const said = Object.entries(tags)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `,${escaped(name)}=${escaped(value)}`)
  const values = Object.entries(fields).map(([name, value]) => `${escaped(name)}=${valueOf(value, wholes.has(name))}`)
  return values.length === 0 ? undefined : `${measurement}${said.join('')} ${values.join(',')} ${time}`
}

/** A pattern that fits wherever this text stands, whatever the case of its letters. Every sign but letters and digits is named by its number. */
export const patternOf = (text: string): string =>
  `/(?i)${[...text].map((sign) => (/[A-Za-z0-9]/.test(sign) ? sign : `\\x{${sign.codePointAt(0)!.toString(16)}}`)).join('')}/`
