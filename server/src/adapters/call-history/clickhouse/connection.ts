import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { TooManyRecordsError } from '../../../ports/call-history'
import { UnavailableError } from '../../../ports/service-errors'
import { buildSchema } from './tables'

/** The subject of error messages. */
const serviceName = 'The call history database (ClickHouse)'
const timeoutMs = 30_000
/** ClickHouse stops queries after this time, before the client gives up. */
const maxQuerySeconds = 20
/** Older versions lack functions or settings that the queries use. */
const minMajorVersion = 24
const defaultDatabase = 'trunkline'

/** Error codes of ClickHouse. */
const credentialErrors = new Set(['192', '193', '194', '516'])
/** The query took too long, or needed too much memory. */
const limitErrors = new Set(['158', '159', '160', '241', '307'])

export type Values = Record<string, unknown>

export interface QueryResult {
  rows: Values[]
  /** The number of rows without `limit`, if the query has a limit. */
  totalRows: number
}

const createUnreadableResponseError = () =>
  new UnavailableError(`${serviceName} returned an unreadable response. Check CLICKHOUSE_URL.`)

const toPortError = (error: unknown): Error => {
  if (error instanceof UnavailableError) return error
  const { code, message } = error as { code?: string; message?: string }
  // Only errors of ClickHouse itself have a number as their code.
  if (!code || !/^\d+$/.test(code)) return new UnavailableError(`${serviceName} does not respond. Try again later.`)
  if (credentialErrors.has(code))
    return new UnavailableError(`${serviceName} rejects the credentials. Check CLICKHOUSE_URL.`)
  return limitErrors.has(code)
    ? new TooManyRecordsError(`${serviceName} stopped a query: ${(message ?? '').slice(0, 200)}`)
    : new UnavailableError(`${serviceName} failed: ${(message ?? '').slice(0, 200)}`)
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseResult = (text: string): QueryResult => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw createUnreadableResponseError()
  }
  if (!isObject(json) || !Array.isArray(json.data) || !json.data.every(isObject)) throw createUnreadableResponseError()
  return { rows: json.data, totalRows: Number(json.rows_before_limit_at_least ?? json.data.length) }
}

const querySettings: ClickHouseSettings = {
  max_execution_time: maxQuerySeconds,
  // The sorting key contains the time, so all rows of a record are in one partition.
  do_not_merge_across_partitions_select_final: 1,
  exact_rows_before_limit: 1,
  // As text, because JavaScript numbers have only 53 bits.
  output_format_json_quote_64bit_integers: 1,
  output_format_json_named_tuples_as_objects: 0,
}

const insertSettings: ClickHouseSettings = {
  // The batches of this server are large enough.
  async_insert: 0,
  // Late records and imported ones may belong to any number of weeks.
  max_partitions_per_insert_block: '0',
}

/** The client library is loaded on first use. */
const openClient = async (url: URL): Promise<ClickHouseClient> => {
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client')
  return createClient({
    url: url.origin,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    application: 'trunkline',
    request_timeout: timeoutMs,
    compression: { request: true, response: true },
    // Errors are thrown, and logged by the server.
    log: { level: ClickHouseLogLevel.OFF },
  })
}

/** Creates a client of a ClickHouse. The URL may contain a username, a password and the name of the database. */
export const createClickHouseConnection = (configuredUrl: string) => {
  const url = new URL(configuredUrl)
  // Only word characters: see the setting's rule.
  const database = url.pathname.replace(/\W/g, '') || defaultDatabase
  let client: Promise<ClickHouseClient> | undefined
  let schema: Promise<void> | undefined

  const withClient = async <Result>(work: (client: ClickHouseClient) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await (client ??= openClient(url)))
    } catch (error) {
      throw toPortError(error)
    }
  }

  const runQuery = (query: string, params: Values, settings: ClickHouseSettings): Promise<QueryResult> =>
    withClient(async (openedClient) => {
      const result = await openedClient.query({
        query,
        query_params: params,
        format: 'JSON',
        clickhouse_settings: settings,
      })
      return parseResult(await result.text())
    })

  const runCommand = (query: string, settings: ClickHouseSettings = {}) =>
    withClient(async (openedClient) => {
      await openedClient.command({ query, clickhouse_settings: settings })
    })

  const createSchema = async () => {
    const { rows } = await runQuery('select version() as version', {}, {})
    const version = String(rows[0]?.version)
    if (!(parseInt(version, 10) >= minMajorVersion))
      throw new UnavailableError(`${serviceName} has version ${version}. It must be ${minMajorVersion} or newer.`)
    for (const statement of buildSchema(database)) await runCommand(statement)
  }

  /** Creates missing tables before the first request. */
  const ensureSchema = (): Promise<void> => {
    schema ??= createSchema().catch((error: unknown) => {
      schema = undefined
      throw error
    })
    return schema
  }

  return {
    database,
    qualify: (table: string) => `${database}.${table}`,

    /** Checks the version of the server, and creates missing tables. */
    prepare: ensureSchema,

    /** Runs a query. Its values are bound as `{name:Type}`. */
    query: async (query: string, params: Values = {}): Promise<QueryResult> => {
      await ensureSchema()
      return runQuery(query, params, querySettings)
    },

    command: async (query: string, settings?: ClickHouseSettings): Promise<void> => {
      await ensureSchema()
      await runCommand(query, settings)
    },

    /** Inserts rows. They are on the disk when it returns. */
    insert: async (table: string, rows: readonly Values[]): Promise<void> => {
      if (rows.length === 0) return
      await ensureSchema()
      await withClient(async (openedClient) => {
        await openedClient.insert({
          table: `${database}.${table}`,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: insertSettings,
        })
      })
    },
  }
}

export type ClickHouseConnection = ReturnType<typeof createClickHouseConnection>
