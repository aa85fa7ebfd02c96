import { Unavailable } from '../../../ports/unavailable'
import { wholeBody } from '../../net/response-body'

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

/** The series of the one query that was sent. */
const seriesIn = ({ results }: Values): Values[] => {
  const result: unknown = Array.isArray(results) ? results[0] : undefined
  if (!isObject(result)) throw unreadable()
  // before the first record there is nothing to read from
  const reason = reasonIn(result)
  if (reason?.includes('database not found')) return []
  if (reason !== undefined) throw failed(reason)
  if (result.series === undefined) return []
  if (!Array.isArray(result.series) || !result.series.every(isObject)) throw unreadable()
  return result.series
}

const valuesIn = ({ columns, values }: Values): Values[] => {
  if (!Array.isArray(columns) || !Array.isArray(values)) throw unreadable()
  const names = columns.map(String)
  return values.map((row: unknown) => {
    if (!Array.isArray(row)) throw unreadable()
    const named: Values = Object.fromEntries(names.map((name, at) => [name, row[at] as unknown]))
    if (Number.isNaN(Date.parse(String(named.time)))) throw unreadable()
    return named
  })
}

/** The rows of the one query that was sent, by the names of their columns. Each has a time. */
export const rowsIn = (answer: Values): Values[] => {
  const [series] = seriesIn(answer)
  return series ? valuesIn(series) : []
}

/** The rows of a query with groups, each with the tags of its group. */
export const groupsIn = (answer: Values): { tags: Values; row: Values }[] =>
  seriesIn(answer).flatMap((series) =>
    valuesIn(series).map((row) => ({ tags: isObject(series.tags) ? series.tags : {}, row })),
  )
