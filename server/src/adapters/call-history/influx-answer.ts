import { Unavailable } from '../../ports/unavailable'
import { wholeBody } from '../whole-body'

/** What people call it, at the beginning of a sentence. */
export const server = 'The call history'

/** Bytes of one answer: as many calls as are read at once, with all that is said of each. */
const mostBytes = 256 * 1024 * 1024

export const failed = (reason: string) => new Unavailable(`${server} failed: ${reason.slice(0, 200)}`)

/** Whatever answers in its place must not pass for a history without calls. */
export const unreadable = () => new Unavailable(`${server} gives no answer that can be read. Check INFLUX_URL.`)

export type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What InfluxDB says, where it is InfluxDB that says something. */
export const answerIn = async (response: Response): Promise<Values | undefined> => {
  const bytes = await wholeBody(response, server, mostBytes)
  try {
    const said: unknown = JSON.parse(bytes.toString())
    return isObject(said) ? said : undefined
  } catch {
    return undefined
  }
}

/** Why it refuses, in its own words. */
export const reasonIn = (said: Values | undefined): string | undefined =>
  typeof said?.error === 'string' ? said.error : undefined

/** The rows of the one query that was asked, by the names of their columns. Each has a time. */
export const rowsIn = ({ results }: Values): Values[] => {
  const result: unknown = Array.isArray(results) ? results[0] : undefined
  if (!isObject(result)) throw unreadable()
  // before the first record there is nothing to read from
  const reason = reasonIn(result)
  if (reason?.includes('database not found')) return []
  if (reason !== undefined) throw failed(reason)
  if (result.series === undefined) return []
  const series: unknown = Array.isArray(result.series) ? result.series[0] : undefined
  if (!isObject(series) || !Array.isArray(series.columns) || !Array.isArray(series.values)) throw unreadable()
  const columns = series.columns.map(String)
  return series.values.map((row: unknown) => {
    if (!Array.isArray(row)) throw unreadable()
    const values: Values = Object.fromEntries(columns.map((name, at) => [name, row[at] as unknown]))
    if (Number.isNaN(Date.parse(String(values.time)))) throw unreadable()
    return values
  })
}
