import { existsSync } from 'node:fs'
import { createClickHouseArchive } from '../../adapters/call-history/clickhouse/archive'
import { createClickHouseCallHistory } from '../../adapters/call-history/clickhouse/store'
import { createInfluxArchive } from '../../adapters/call-history/influx/archive'
import { createInfluxCallHistory } from '../../adapters/call-history/influx/store'
import { createSqlCallArchive } from '../../adapters/call-history/sql/archive'
import { createSqlCallHistory } from '../../adapters/call-history/sql/store'
import { ConfigError } from '../../config/config'
import { engineOfUrl, openDatabase, sqlitePathOfUrl, type Database } from '../../db/database'
import { migrate } from '../../db/migrate'
import { lockDatabase } from '../../db/process-lock'
import type { CallArchive } from '../../ports/call-archive'
import type { CallHistory } from '../../ports/call-history'

/** A store from which or to which calls can be copied. */
export interface MovableStore extends CallArchive, Pick<CallHistory, 'writePoints'> {
  /** A name without credentials. Equal names mean the same store. */
  name: string
  close(): Promise<void>
}

/** The URLs of the stores that the settings describe. */
export interface StoreUrls {
  databaseUrl: string
  influxUrl: string | undefined
  clickHouseUrl: string | undefined
}

/** Nothing expires while it is copied. */
const retention = { calls: 0, alerts: 0 }

const noDeadline = new AbortController().signal

/** Removes the username and password of a URL. */
const describeUrl = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}`
}

/** Creates a store that needs no closing. */
const createStore = (url: string, history: CallHistory, archive: CallArchive): MovableStore => ({
  name: describeUrl(url),
  ...archive,
  writePoints: (measurement, points) => history.writePoints(measurement, points),
  close: () => Promise.resolve(),
})

const openSqlStore = async (url: string, openConfigured: () => Database, isTarget: boolean): Promise<MovableStore> => {
  if (!isTarget && engineOfUrl(url) === 'sqlite' && !existsSync(sqlitePathOfUrl(url)))
    throw new ConfigError(`The database ${sqlitePathOfUrl(url)} does not exist.`)
  // A server with SQLite must not run beside another writer: see `lockDatabase`.
  const unlock = isTarget ? lockDatabase(url, { timeoutMs: 0, warn: () => undefined }) : () => undefined
  const database = openConfigured()
  if (isTarget) await migrate(database.db)
  const history = createSqlCallHistory({ database }, retention)
  if (isTarget) await history.backfill(noDeadline)
  return {
    name: describeUrl(url),
    ...createSqlCallArchive(database),
    writePoints: (measurement, points) => history.writePoints(measurement, points),
    close: async () => {
      await database.close()
      unlock()
    },
  }
}

const requireUrl = (url: string | undefined, setting: string): string => {
  if (!url) throw new ConfigError(`${setting} is not set.`)
  return url
}

/**
 * Opens a store by its name: `database` (the one of the settings), `influx`, `clickhouse`, or the URL of another database.
 * `openConfiguredDatabase` opens the database of the settings.
 */
export const openMovableStore = async (
  storeName: string,
  urls: StoreUrls,
  { openConfiguredDatabase, isTarget }: { openConfiguredDatabase: () => Database; isTarget: boolean },
): Promise<MovableStore> => {
  switch (storeName) {
    case 'database':
      return openSqlStore(urls.databaseUrl, openConfiguredDatabase, isTarget)
    case 'influx': {
      const url = requireUrl(urls.influxUrl, 'INFLUX_URL')
      return createStore(url, createInfluxCallHistory(url), createInfluxArchive(url))
    }
    case 'clickhouse': {
      const url = requireUrl(urls.clickHouseUrl, 'CLICKHOUSE_URL')
      return createStore(url, createClickHouseCallHistory(url, { retention }), createClickHouseArchive(url))
    }
    default:
      if (!/[/.]/.test(storeName))
        throw new ConfigError(`'${storeName}' is no store. Use database, influx, clickhouse, or the URL of a database.`)
      return openSqlStore(storeName, () => openDatabase(storeName), isTarget)
  }
}
