import { randomUUID } from 'node:crypto'
import { createClickHouseArchive } from '../src/adapters/call-history/clickhouse/archive'
import { createClickHouseCallHistory } from '../src/adapters/call-history/clickhouse/store'
import { createInfluxArchive } from '../src/adapters/call-history/influx/archive'
import { createInfluxCallHistory } from '../src/adapters/call-history/influx/store'
import { createSqlCallArchive } from '../src/adapters/call-history/sql/archive'
import { createSqlCallHistory } from '../src/adapters/call-history/sql/store'
import type { DatabaseEngine } from '../src/db/database'
import { migrate } from '../src/db/migrate'
import type { CallArchive } from '../src/ports/call-archive'
import type { CallHistory, Point } from '../src/ports/call-history'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from './databases'

const influxUrl = process.env.TEST_INFLUX_URL
const clickHouseUrl = process.env.TEST_CLICKHOUSE_URL
/** The call stores that this machine can run. */
export const callStores = [
  ...databaseEngines,
  ...(influxUrl ? (['influx'] as const) : []),
  ...(clickHouseUrl ? (['clickhouse'] as const) : []),
]

type CallStoreName = (typeof callStores)[number]

/** Whether calls are stored in a database of this engine, and not in a separate one. */
export const isDatabaseEngine = (name: CallStoreName): name is DatabaseEngine => name === 'sqlite' || name === 'mysql'

export interface CallStore {
  history: CallHistory
  /** Only for the SQL store. */
  database?: EmptyDatabase
}

/** A store without retention limits. InfluxDB and ClickHouse are shared, so each test has its own tenants. */
export const openCallStore = async (kind: CallStoreName, clock: () => number): Promise<CallStore> => {
  if (kind === 'influx') return { history: createInfluxCallHistory(influxUrl!, clock) }
  if (kind === 'clickhouse')
    return {
      history: createClickHouseCallHistory(clickHouseUrl!, {
        retention: { calls: 0, alerts: 0 },
        clock,
        minIntervalMs: 0,
      }),
    }
  const database = await createEmptyDatabase(kind)
  await migrate(database.db)
  const history = createSqlCallHistory({ database }, { calls: 0, alerts: 0 }, clock)
  await history.backfill(new AbortController().signal)
  return { database, history }
}

export interface MovableCallStore {
  history: CallHistory
  archive: CallArchive
  close: () => Promise<void>
}

/** An empty store from which or to which calls can be copied. Only InfluxDB is shared with other tests. */
export const openMovableCallStore = async (kind: CallStoreName): Promise<MovableCallStore> => {
  const close = () => Promise.resolve()
  if (kind === 'influx')
    return { history: createInfluxCallHistory(influxUrl!), archive: createInfluxArchive(influxUrl!), close }
  if (kind === 'clickhouse') {
    const url = new URL(`/test_${randomUUID().replaceAll('-', '')}`, clickHouseUrl).href
    const history = createClickHouseCallHistory(url, { retention: { calls: 0, alerts: 0 }, minIntervalMs: 0 })
    return { history, archive: createClickHouseArchive(url), close }
  }
  const { history, database } = await openCallStore(kind, Date.now)
  return { history, archive: createSqlCallArchive(database!), close: () => database!.close() }
}

/** One installation with two providers; `north` has two accounts. */
export const newTenants = () => ({ north: randomUUID(), south: randomUUID(), acme: randomUUID(), bolt: randomUUID() })

interface CallPointOptions {
  /** Milliseconds since 1970. */
  timeMs: number
  tags?: Record<string, string>
  fields?: Point['fields']
  /** Nanoseconds beyond the millisecond. */
  extraNs?: number
}

/** A call as a voice server writes it: inbound and answered by default. */
export const callPoint = (
  { service_provider_sid, account_sid }: { service_provider_sid: string; account_sid?: string },
  { timeMs, tags = {}, fields = {}, extraNs = 0 }: CallPointOptions,
): Point => ({
  tags: {
    service_provider_sid,
    ...(account_sid ? { account_sid } : {}),
    direction: 'inbound',
    answered: 'true',
    trunk: 'twilio',
    host: '10.0.0.1',
    ...tags,
  },
  fields: {
    call_sid: randomUUID(),
    sip_callid: `${randomUUID()}@host`,
    from: '15551230000',
    to: '442012',
    ...fields,
  },
  timeNs: BigInt(timeMs) * 1_000_000n + BigInt(extraNs),
})
