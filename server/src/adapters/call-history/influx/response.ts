import { UnavailableError } from '../../../ports/service-errors'
import { readResponseBody } from '../../net/response-body'

/** The subject of error messages. */
export const serviceName = 'The call history database (InfluxDB)'

/** The maximum size of a response, which may contain many records with all their fields. */
const maxBytes = 256 * 1024 * 1024

export const createQueryError = (reason: string) =>
  new UnavailableError(`${serviceName} failed: ${reason.slice(0, 200)}`)

/** The error for a response that is not from an InfluxDB, which must not look like an empty call history. */
export const createUnreadableResponseError = () =>
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

/** Returns the error message of a response, if it has one. */
export const findErrorMessage = (json: Values | undefined): string | undefined =>
  typeof json?.error === 'string' ? json.error : undefined

/** Returns the series of the only query of a request. */
const readSeries = ({ results }: Values): Values[] => {
  const result: unknown = Array.isArray(results) ? results[0] : undefined
  if (!isObject(result)) throw createUnreadableResponseError()
  // The database is created with the first write.
  const reason = findErrorMessage(result)
  if (reason?.includes('database not found')) return []
  if (reason !== undefined) throw createQueryError(reason)
  if (result.series === undefined) return []
  if (!Array.isArray(result.series) || !result.series.every(isObject)) throw createUnreadableResponseError()
  return result.series
}

const toRecords = ({ columns, values }: Values): Values[] => {
  if (!Array.isArray(columns) || !Array.isArray(values)) throw createUnreadableResponseError()
  const names = columns.map(String)
  return values.map((row: unknown) => {
    if (!Array.isArray(row)) throw createUnreadableResponseError()
    const record: Values = Object.fromEntries(names.map((name, index) => [name, row[index] as unknown]))
    if (Number.isNaN(Date.parse(String(record.time)))) throw createUnreadableResponseError()
    return record
  })
}

/** Returns the rows of the only query of a request as objects. Each has a time. */
export const readRows = (response: Values): Values[] => {
  const [series] = readSeries(response)
  return series ? toRecords(series) : []
}

/** Returns the rows of a grouped query, each with the tags of its group. */
export const readGroups = (response: Values): { tags: Values; row: Values }[] =>
  readSeries(response).flatMap((series) =>
    toRecords(series).map((row) => ({ tags: isObject(series.tags) ? series.tags : {}, row })),
  )
