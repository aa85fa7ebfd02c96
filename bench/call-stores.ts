import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ensureClickHouse } from '../scripts/tools/clickhouse.mjs'
import { ensureInflux } from '../scripts/tools/influxdb.mjs'
import { createClickHouseConnection } from '../server/src/adapters/call-history/clickhouse/connection'
import { createClickHouseCallHistory } from '../server/src/adapters/call-history/clickhouse/store'
import { createInfluxConnection, type InfluxConnection } from '../server/src/adapters/call-history/influx/connection'
import { createInfluxCallHistory } from '../server/src/adapters/call-history/influx/store'
import { createSqlCallHistory } from '../server/src/adapters/call-history/sql/store'
import { openDatabase, type Database } from '../server/src/db/database'
import { migrate } from '../server/src/db/migrate'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'
import { TooManyRecordsError, type CallFilter, type CallHistory, type Point } from '../server/src/ports/call-history'
import { UnavailableError } from '../server/src/ports/service-errors'
import { applicationSids, buildCall, dayCount, dayMs } from './calls'
import { generateCalls, mergeParts } from './generated-calls'

/** A store of calls that the benchmark fills. */
interface MeasuredStore {
  history: CallHistory
  /** Writes this many calls; returns the seconds, or undefined if the calls did not arrive through the adapter. */
  fill: (count: number) => Promise<number | undefined>
  readDiskBytes: () => Promise<number>
  dispose: () => Promise<void>
}

const retention = { calls: 0, alerts: 0 }
const accountSids = Array.from({ length: 50 }, () => randomUUID())
/** Calls per write. */
const defaultBatchSize = 10_000
/** On a busy machine, InfluxDB does not store more within the timeout of the adapter. */
const influxBatchSize = 2000
const retryDelayMs = 2000
const runCount = 5
const provider = { service_provider_sid: defaultServiceProviderSid }

const openSqlStore = async (database: Database) => {
  await migrate(database.db)
  await database.db
    .insertInto('service_providers')
    .values({ ...provider, name: 'Bench' })
    .execute()
  for (const account_sid of accountSids)
    await database.db
      .insertInto('accounts')
      .values({ account_sid, ...provider, name: account_sid, webhook_secret: 'secret' })
      .execute()
  const history = createSqlCallHistory({ database }, retention)
  await history.backfill(new AbortController().signal)
  return history
}

const openSqliteStore = async (): Promise<MeasuredStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'bench.sqlite')
  const database = openDatabase(file)
  const history = await openSqlStore(database)
  return {
    history,
    fill: (count) => writeCalls(history, count),
    readDiskBytes: async () => {
      await sql`pragma wal_checkpoint(truncate)`.execute(database.db)
      return statSync(file).size
    },
    dispose: async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const openMariaDbStore = async (): Promise<MeasuredStore> => {
  const serverUrl = process.env.BENCH_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
  const name = `trunkline_bench_${randomBytes(4).toString('hex')}`
  const root = openDatabase(new URL('/information_schema', serverUrl).href)
  await sql.raw(`create database ${name}`).execute(root.db)
  const database = openDatabase(new URL(`/${name}`, serverUrl).href)
  const history = await openSqlStore(database)
  return {
    history,
    fill: (count) => writeCalls(history, count),
    readDiskBytes: async () => {
      await sql`analyze table trunkline_calls, trunkline_packed_calls, trunkline_hour_counts`.execute(database.db)
      const { rows } = await sql<{ bytes: string }>`select sum(data_length + index_length) as bytes
        from information_schema.tables where table_schema = ${name}`.execute(root.db)
      return Number(rows[0]?.bytes)
    },
    dispose: async () => {
      await database.close()
      await sql.raw(`drop database ${name}`).execute(root.db)
      await root.close()
    },
  }
}

/**
 * BENCH_CLICKHOUSE_URL is a server to use instead of a temporary engine. With BENCH_FILL=engine, ClickHouse generates the calls
 * itself, because writing very many through the adapter takes hours.
 */
const openClickHouseStore = async (): Promise<MeasuredStore> => {
  const { BENCH_CLICKHOUSE_URL: serverUrl } = process.env
  const engine = serverUrl ? { url: serverUrl, stop: () => Promise.resolve() } : await ensureClickHouse()
  if (!engine) throw new Error('No ClickHouse is available.')
  const url = new URL(`/trunkline_bench_${randomBytes(4).toString('hex')}`, engine.url).href
  const connection = createClickHouseConnection(url)
  const history = createClickHouseCallHistory(url, { retention })
  // creates the tables
  await connection.query('select 1')
  return {
    history,
    fill: async (count) => {
      const isFilledByEngine = process.env.BENCH_FILL === 'engine'
      const seconds = isFilledByEngine ? undefined : await writeCalls(history, count)
      if (isFilledByEngine) await generateCalls(url, connection, accountSids, count)
      await mergeParts(url, connection)
      return seconds
    },
    readDiskBytes: async () => {
      const { rows } = await connection.query(
        'select sum(bytes_on_disk) as bytes from system.parts where active and database = {database:String}',
        { database: connection.database },
      )
      return Number(rows[0]?.bytes)
    },
    dispose: async () => {
      await connection.command(`drop database ${connection.database}`)
      await engine.stop()
    },
  }
}

/** The bytes of all files of InfluxDB, with its write-ahead logs. */
const readInfluxBytes = async ({ runQuery }: Pick<InfluxConnection, 'runQuery'>): Promise<number> => {
  const { results } = (await runQuery('cdrs', `show stats for 'shard'`, {})) as {
    results: { series: { columns: string[]; values: number[][] }[] }[]
  }
  const sizes = results[0]!.series.map(({ columns, values }) => values[0]![columns.indexOf('diskBytes')]!)
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** BENCH_INFLUX_URL is an empty server to use instead of a temporary one. */
const openInfluxStore = async (): Promise<MeasuredStore> => {
  const { BENCH_INFLUX_URL: serverUrl } = process.env
  const server = serverUrl ? { url: serverUrl, stop: () => Promise.resolve() } : await ensureInflux()
  if (!server) throw new Error('No InfluxDB is available.')
  const connection = createInfluxConnection(server.url)
  await connection.createDatabase('cdrs')
  const history = createInfluxCallHistory(server.url)
  return {
    history,
    fill: (count) => writeCalls(history, count, influxBatchSize),
    readDiskBytes: () => readInfluxBytes(connection),
    dispose: () => server.stop(),
  }
}

const storeOpeners: Record<string, () => Promise<MeasuredStore>> = {
  SQLite: openSqliteStore,
  MariaDB: openMariaDbStore,
  InfluxDB: openInfluxStore,
  ClickHouse: openClickHouseStore,
}

/** Repeats a write as voice servers do: on a busy machine, InfluxDB refuses some for a while. */
const writeWithRetries = async (history: CallHistory, points: readonly Point[], attempts = 10): Promise<void> => {
  try {
    await history.writePoints('cdrs', points)
  } catch (error) {
    if (!(error instanceof UnavailableError) || attempts === 1) throw error
    await sleep(retryDelayMs)
    await writeWithRetries(history, points, attempts - 1)
  }
}

/** Writes calls of the last ninety days, four batches at a time. Returns the seconds. */
const writeCalls = async (history: CallHistory, count: number, batchSize = defaultBatchSize): Promise<number> => {
  const stepMs = (dayCount * dayMs) / count
  const firstTimeMs = Date.now() - dayCount * dayMs
  let offset = 0
  const startedAt = performance.now()
  const writeBatches = async () => {
    while (offset < count) {
      const start = offset
      offset += batchSize
      const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, index) =>
        buildCall(accountSids, start + index, Math.floor(firstTimeMs + (start + index) * stepMs)),
      )
      await writeWithRetries(history, batch)
    }
  }
  await Promise.all(Array.from({ length: 4 }, writeBatches))
  return (performance.now() - startedAt) / 1000
}

/** The queries of the screens. The provider owns all calls, so each one concerns all of them. */
const listQueries = async (history: CallHistory, count: number): Promise<Record<string, () => Promise<unknown>>> => {
  const days = (number: number): CallFilter => ({ from: Date.now() - number * dayMs })
  const listCalls = (filter: CallFilter, page = 1) => history.listCalls(provider, { ...filter, page, count: 25 })
  const newestCall = (await listCalls(days(1))).rows[0]!
  return {
    'the first page of ninety days': () => listCalls(days(dayCount)),
    'the first page of seven days': () => listCalls(days(7)),
    'a page from the middle': () => listCalls(days(dayCount), Math.floor(count / 50)),
    'unanswered calls of one trunk': () => listCalls({ ...days(dayCount), trunk: 'Trunk 07', answered: false }),
    'calls of one account': () =>
      history.listCalls({ account_sid: accountSids[0]! }, { ...days(dayCount), page: 1, count: 25 }),
    'a text in a number, ninety days': () => listCalls({ ...days(dayCount), text: '5551234' }),
    'a text in a number, seven days': () => listCalls({ ...days(7), text: '5551234' }),
    'calls of one application': () => listCalls({ ...days(dayCount), application_sid: applicationSids[7]! }),
    'overview of ninety days': () => history.sumCalls(provider, days(dayCount)),
    'overview of seven days': () => history.sumCalls(provider, days(7)),
    'overview of ninety days by trunk': () => history.groupCalls(provider, days(dayCount), 'trunk'),
    'overview of ninety days by account': () => history.groupCalls(provider, days(dayCount), 'account'),
    'one call by its SID': () => history.findCall(provider, { call_sid: newestCall.call_sid! }),
    'the owner of a Call-ID': () => history.isCallOwner(provider, { sip_callid: newestCall.sip_callid! }),
  }
}

/** Returns the median and the shortest time. The latter tells more on a machine that does other work. */
const measureTimes = async (run: () => Promise<unknown>): Promise<{ medianMs: number; shortestMs: number }> => {
  const times: number[] = []
  for (let index = 0; index < runCount; index += 1) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(runCount / 2)]!, shortestMs: times[0]! }
}

/** Formats the times of a query, or why the store cannot run it on this many calls. */
const formatTimes = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    const { medianMs, shortestMs } = await measureTimes(run)
    return `${medianMs.toFixed(1)} ms | ${shortestMs.toFixed(1)} ms`
  } catch (error) {
    if (error instanceof TooManyRecordsError) return 'too many calls |'
    if (error instanceof UnavailableError) return `${error.message} |`
    throw error
  }
}

/**
 * Fills each store with this many calls, and yields lines of a Markdown table: the rate of writes, the size on disk, and the
 * median and the shortest time of each query of the screens. The adapters are called directly, without the API. BENCH_STORES selects stores.
 */
export async function* measureCallStores(count: number): AsyncGenerator<string> {
  const names = process.env.BENCH_STORES?.split(',') ?? Object.keys(storeOpeners)
  yield `| store | ${count.toLocaleString('en')} calls | median | shortest |\n| --- | --- | ---: | ---: |`
  for (const name of names) {
    const openStore = storeOpeners[name]
    if (!openStore) throw new Error(`BENCH_STORES contains the unknown store '${name}'.`)
    const store = await openStore()
    try {
      const seconds = await store.fill(count)
      if (seconds !== undefined) yield `| ${name} | calls written per second | ${Math.round(count / seconds)} | |`
      yield `| ${name} | bytes on disk per call | ${Math.round((await store.readDiskBytes()) / count)} | |`
      for (const [title, run] of Object.entries(await listQueries(store.history, count)))
        yield `| ${name} | ${title} | ${await formatTimes(run)} |`
    } finally {
      await store.dispose()
    }
  }
}
