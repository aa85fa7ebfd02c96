import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { startTcpProxy, type TcpProxy } from '../../test/doubles/tcp-proxy'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from '../../test/databases'
import { createApiClient } from '../../test/api-client'
import { openDatabase, type Database } from './database'
import { classifyDatabaseError } from './errors'
import { withLongStatements } from './mysql-pool'
import { withTransaction } from './transaction'

const connections = 3
const timeoutSeconds = 0.6

describe.runIf(databaseEngines.includes('mysql'))('connections that stop responding', () => {
  let emptyTestDatabase: EmptyDatabase
  let proxy: TcpProxy
  let database: Database
  beforeEach(async () => {
    emptyTestDatabase = await createEmptyDatabase('mysql')
    const server = new URL(process.env.TEST_MYSQL_URL!)
    proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port || 3306) })
    const url = new URL(`/${await readDatabaseName(emptyTestDatabase)}`, server)
    url.port = String(proxy.port)
    database = openDatabase(url.href, { connectionLimit: connections, timeoutSeconds })
  })
  afterEach(async () => {
    await proxy.close()
    await database.close().catch(() => undefined)
    await emptyTestDatabase.close()
  })

  const readDatabaseName = async ({ db }: Database) =>
    (await sql<{ name: string }>`select database() as name`.execute(db)).rows[0]!.name
  const selectOne = async () => (await sql<{ result: number }>`select 1 as result`.execute(database.db)).rows[0]?.result
  const runOnAllConnections = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: connections }, run))
  const openAllConnections = async () => {
    await runOnAllConnections(() => sql`select sleep(0.1)`.execute(database.db))
    expect(proxy.countConnections()).toBe(connections)
  }
  const errorKindOf = (query: Promise<unknown>) =>
    query.then(
      () => 'done',
      (error: unknown) => classifyDatabaseError(error)?.kind ?? error,
    )

  it('replaces idle ones before a statement is sent', async () => {
    await openAllConnections()
    proxy.dropTraffic()
    await new Promise((resolve) => setTimeout(resolve, timeoutSeconds * 200))
    expect(await runOnAllConnections(selectOne)).toEqual([1, 1, 1])
  })

  it('fails statements in progress, and runs those that waited for a connection', async () => {
    await openAllConnections()
    const transactions = runOnAllConnections(() =>
      errorKindOf(
        withTransaction(database.db, async (tx) => {
          await sql`select sleep(0.1)`.execute(tx)
          await sql`select 1`.execute(tx)
        }),
      ),
    )
    const slowStatements = runOnAllConnections(() => errorKindOf(sql`select sleep(0.2)`.execute(database.db)))
    proxy.dropTraffic()
    expect(new Set([...(await transactions), ...(await slowStatements)])).toEqual(new Set(['unavailable']))
    expect(await runOnAllConnections(selectOne)).toEqual([1, 1, 1])
  })

  it('reports the database as unavailable when it gets no connection', async () => {
    await openAllConnections()
    proxy.dropTraffic({ newConnections: true })
    const results = await Promise.all(Array.from({ length: 4 * connections }, () => errorKindOf(selectOne())))
    expect(new Set(results)).toEqual(new Set(['unavailable']))
  })

  it('allows more time for preparing a database', async () => {
    expect(await errorKindOf(sql`select sleep(${timeoutSeconds * 2})`.execute(database.db))).toBe('unavailable')
    const longStatement = withLongStatements(() => sql`select sleep(${timeoutSeconds * 2})`.execute(database.db))
    expect(await errorKindOf(longStatement)).toBe('done')
  })
})

describe.runIf(databaseEngines.includes('mysql'))('a connection that ends in the middle of a transaction', () => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine: 'mysql' })
  })
  afterEach(() => backend.close())

  it('causes a 503 with Retry-After, and the failed rollback does not hide the cause', async () => {
    const { app, testData, database } = backend
    const { providers } = backend.services
    const insertProvider = providers.insert.bind(providers)
    providers.insert = async (values, tx) => {
      const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(tx!)
      await sql.raw(`kill ${rows[0]!.id}`).execute(database.db)
      await insertProvider(values, tx)
    }
    const response = await createApiClient(app, testData.keys.admin)('POST', '/ServiceProviders', { name: 'new' })
    expect(response).toMatchObject({
      status: 503,
      body: { msg: 'The database is not available at the moment' },
      headers: { 'retry-after': '5' },
    })
  })
})
