import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { startTcpProxy, type TcpProxy } from '../../test/doubles/tcp-proxy'
import { emptyDatabase, engines, type EmptyDatabase } from '../../test/engines'
import { apiClient } from '../../test/speak'
import { openDatabase, type Database } from './database'
import { classifyDatabaseError } from './errors'
import { withLongStatements } from './mysql-pool'
import { withTransaction } from './transaction'

const connections = 3
const timeoutSeconds = 0.6

describe.runIf(engines.includes('mysql'))('connections that die silently', () => {
  let empty: EmptyDatabase
  let proxy: TcpProxy
  let database: Database
  beforeEach(async () => {
    empty = await emptyDatabase('mysql')
    const server = new URL(process.env.TEST_MYSQL_URL!)
    proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port || 3306) })
    const url = new URL(`/${await nameOf(empty)}`, server)
    url.port = String(proxy.port)
    database = openDatabase(url.href, { connectionLimit: connections, timeoutSeconds })
  })
  afterEach(async () => {
    await proxy.close()
    await database.close().catch(() => undefined)
    await empty.close()
  })

  const nameOf = async ({ db }: Database) =>
    (await sql<{ name: string }>`select database() as name`.execute(db)).rows[0]!.name
  const respond = async () => (await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one
  const item = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: connections }, run))
  const openAll = async () => {
    await item(() => sql`select sleep(0.1)`.execute(database.db))
    expect(proxy.accepted()).toBe(connections)
  }
  const kindOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => classifyDatabaseError(error)?.kind ?? error,
    )

  it('replaces idle ones before a statement is sent', async () => {
    await openAll()
    proxy.blackHole()
    await new Promise((idle) => setTimeout(idle, timeoutSeconds * 200))
    expect(await item(respond)).toEqual([1, 1, 1])
  })

  it('fails statements in progress, and serves those that waited for a connection', async () => {
    await openAll()
    const held = item(() =>
      kindOf(
        withTransaction(database.db, async (tx) => {
          await sql`select sleep(0.1)`.execute(tx)
          await sql`select 1`.execute(tx)
        }),
      ),
    )
    const slow = item(() => kindOf(sql`select sleep(0.2)`.execute(database.db)))
    proxy.blackHole()
    expect(new Set([...(await held), ...(await slow)])).toEqual(new Set(['unavailable']))
    expect(await item(respond)).toEqual([1, 1, 1])
  })

  it('reports the database as unavailable when it gets no connection', async () => {
    await openAll()
    proxy.blackHole({ newOnes: true })
    const results = await Promise.all(Array.from({ length: 4 * connections }, () => kindOf(respond())))
    expect(new Set(results)).toEqual(new Set(['unavailable']))
  })

  it('allows more time for preparing a database', async () => {
    expect(await kindOf(sql`select sleep(${timeoutSeconds * 2})`.execute(database.db))).toBe('unavailable')
    const slow = withLongStatements(() => sql`select sleep(${timeoutSeconds * 2})`.execute(database.db))
    expect(await kindOf(slow)).toBe('done')
  })
})

describe.runIf(engines.includes('mysql'))('a connection that ends in the middle of a transaction', () => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ engine: 'mysql' })
  })
  afterEach(() => backend.close())

  it('causes a 503 with Retry-After, and the failed rollback does not hide the cause', async () => {
    const { app, world, database } = backend
    const { providers } = backend.services
    const add = providers.insert.bind(providers)
    providers.insert = async (values, tx) => {
      const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(tx!)
      await sql.raw(`kill ${rows[0]!.id}`).execute(database.db)
      await add(values, tx)
    }
    const reply = await apiClient(app, world.keys.admin)('POST', '/ServiceProviders', { name: 'new' })
    expect(reply).toMatchObject({
      status: 503,
      body: { msg: 'The database is not available at the moment' },
      headers: { 'retry-after': '5' },
    })
  })
})
