import type { Measurement } from '../../../ports/call-history'
import { UnavailableError } from '../../../ports/service-errors'
import {
  findErrorMessage,
  createQueryError,
  readJson,
  readRows,
  serviceName,
  createUnreadableResponseError,
  type Values,
} from './response'

const timeoutMs = 15_000

const unavailableMessage = `${serviceName} does not respond. Try again later.`

/** Values that a query binds, by name. */
export type QueryParams = Record<string, string | number>

/** Parses the JSON of a response. Throws UnavailableError for an error response. */
const parseResponse = async (response: Response): Promise<Values> => {
  const json = await readJson(response)
  if (response.status === 401) throw new UnavailableError(`${serviceName} rejects the credentials. Check INFLUX_URL.`)
  if (!response.ok) throw createQueryError(findErrorMessage(json) ?? `status ${response.status}`)
  if (!json) throw createUnreadableResponseError()
  return json
}

/** Creates a client of an InfluxDB 1.x. The URL may contain a username and password. */
export const createInfluxConnection = (url: string) => {
  const { origin, pathname, username, password } = new URL(url)
  const baseUrl = origin + pathname.replace(/\/+$/, '')
  const credentials = `${decodeURIComponent(username || 'root')}:${decodeURIComponent(password || 'root')}`
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`

  const send = async (
    method: 'GET' | 'POST',
    path: string,
    query: Record<string, string>,
    body?: string,
  ): Promise<Response> => {
    try {
      return await fetch(`${baseUrl}${path}?${new URLSearchParams(query).toString()}`, {
        method,
        headers: { authorization },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch {
      throw new UnavailableError(unavailableMessage)
    }
  }

  /** Runs an InfluxQL query. Each measurement has a database of the same name. */
  const runQuery = async (measurement: Measurement, query: string, params: QueryParams): Promise<Values> =>
    parseResponse(await send('GET', '/query', { db: measurement, q: query, params: JSON.stringify(params) }))

  return {
    runQuery,

    queryRows: async (measurement: Measurement, query: string, params: QueryParams): Promise<Values[]> =>
      readRows(await runQuery(measurement, query, params)),

    async createDatabase(measurement: Measurement): Promise<void> {
      await parseResponse(await send('POST', '/query', { q: `create database ${measurement}` }))
    },

    /** Writes lines of the line protocol. Returns the response, whatever its status. */
    postLines: (measurement: Measurement, lines: readonly string[]): Promise<Response> =>
      send('POST', '/write', { db: measurement, precision: 'ns' }, lines.join('\n')),

    parseResponse,
  }
}

export type InfluxConnection = ReturnType<typeof createInfluxConnection>
