import { UnavailableError } from '../../../ports/service-errors'
import { readResponseBody } from '../../net/response-body'

/** The subject of error messages. */
export const serviceName = 'The call history'

/** The maximum size of a response: the records of one query with all their fields. */
const maxBytes = 256 * 1024 * 1024

export const queryError = (reason: string) => new UnavailableError(`${serviceName} failed: ${reason.slice(0, 200)}`)

/** A response of another server must not look like an empty call history. */
export const unreadableResponse = () =>
  new UnavailableError(`${serviceName} returned an unreadable response. Check INFLUX_URL.`)

export type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON body of a response; undefined if it is not a JSON object. */
export const readJson = async (response: Response): Promise<Values | undefined> => {
  const bytes = await readResponseBody(response, serviceName, maxBytes)
  try {
    const json: unknown = JSON.parse(bytes.toString())
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** The error message of a response. */
export const errorIn = (json: Values | undefined): string | undefined =>
  typeof json?.error === 'string' ? json.error : undefined

/** The series of the only query of a request. */
const seriesIn = ({ results }: Values): Values[] => {
  const result: unknown = Array.isArray(results) ? results[0] : undefined
  if (!isObject(result)) throw unreadableResponse()
  // The database is created with the first write.
  const reason = errorIn(result)
  if (reason?.includes('database not found')) return []
  if (reason !== undefined) throw queryError(reason)
  if (result.series === undefined) return []
  if (!Array.isArray(result.series) || !result.series.every(isObject)) throw unreadableResponse()
  return result.series
}

const valuesIn = ({ columns, values }: Values): Values[] => {
  if (!Array.isArray(columns) || !Array.isArray(values)) throw unreadableResponse()
  const names = columns.map(String)
  return values.map((row: unknown) => {
    if (!Array.isArray(row)) throw unreadableResponse()
    const record: Values = Object.fromEntries(names.map((name, index) => [name, row[index] as unknown]))
    if (Number.isNaN(Date.parse(String(record.time)))) throw unreadableResponse()
    return record
  })
}

/** The rows of the only query of a request, as objects. Each has a time. */
export const rowsIn = (response: Values): Values[] => {
  const [series] = seriesIn(response)
  return series ? valuesIn(series) : []
}

/** The rows of a grouped query, each with the tags of its group. */
export const groupsIn = (response: Values): { tags: Values; row: Values }[] =>
  seriesIn(response).flatMap((series) =>
    valuesIn(series).map((row) => ({ tags: isObject(series.tags) ? series.tags : {}, row })),
  )
