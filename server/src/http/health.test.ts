import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createApiClient } from '../../test/api-client'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { buildApp } from '../composition/app'
import { readConfig } from '../config/config'
import { createReadinessCheck } from '../db/readiness'

describe.each(databaseEngines)('the probes (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  const probe = async (path: string) => {
    const { statusCode, headers, body } = await backend.app.inject(path)
    return { status: statusCode, cache: headers['cache-control'], body }
  }

  it('report a working server', async () => {
    expect(await probe('/readyz')).toEqual({
      status: 200,
      cache: 'no-store',
      body: '{"status":"ok","checks":{"database":"ok","storage":"ok","schema":"ok"}}',
    })
    expect(await probe('/livez')).toMatchObject({ status: 200, cache: 'no-store', body: '{"status":"ok"}' })
    expect(await probe('/healthz')).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^{"status":"ok","version":"[^"]+"}$/),
    })
    expect(await probe('/health')).toMatchObject({ status: 200, body: 'OK' })
  })

  it('report a database that refuses writes', async () => {
    // The readiness check writes to this table.
    await sql`drop table trunkline_progress`.execute(backend.database.db)
    expect(await probe('/readyz')).toMatchObject({
      status: 503,
      body: '{"status":"unavailable","checks":{"database":"failed","storage":"ok","schema":"ok"}}',
    })
    for (const path of ['/livez', '/healthz']) expect(await probe(path)).toMatchObject({ status: 200 })
  })

  it('report tables that somebody changed, and requests that need them say so', async () => {
    await sql`alter table users rename to renamed_users`.execute(backend.database.db)
    const { status, headers, body } = await createApiClient(backend.app)('POST', '/login', {
      username: 'admin',
      password: 'any',
    })
    expect([status, headers['retry-after'], body.msg]).toEqual([
      503,
      '5',
      expect.stringContaining('The tables of the database do not match this server'),
    ])
    expect(await probe('/readyz')).toMatchObject({
      status: 503,
      body: '{"status":"unavailable","checks":{"database":"ok","storage":"ok","schema":"failed"}}',
    })
  })

  it('report a full data folder, and reuse a result instead of checking again for each request', async () => {
    const { store } = backend.services
    let freeBytes = 15 * 1024 * 1024
    const check = createReadinessCheck(store, '/data', (folder) =>
      Promise.resolve(folder === '/data' ? freeBytes : Infinity),
    )
    expect(await check()).toEqual({ database: true, storage: false, schema: true })
    freeBytes = Infinity
    expect(await check()).toEqual({ database: true, storage: false, schema: true })
    const secondCheck = createReadinessCheck(store, '/data', () => Promise.resolve(freeBytes))
    expect(await secondCheck()).toEqual({ database: true, storage: true, schema: true })
  })
})

describe('a server that drains', () => {
  it('is not ready, but alive', async () => {
    const config = readConfig({ API_BASE_URL: 'https://api.example.com/v1' })
    const app = await buildApp({ config, consoleFolder: '/none', version: '0', isDraining: () => true })
    expect(await app.inject('/readyz')).toMatchObject({ statusCode: 503, body: '{"status":"draining","checks":{}}' })
    expect(await app.inject('/livez')).toMatchObject({ statusCode: 200 })
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: '0' })
    await app.close()
  })
})

describe('a console for another API', () => {
  it('is always ready', async () => {
    const config = readConfig({ API_BASE_URL: 'https://api.example.com/v1' })
    const app = await buildApp({ config, consoleFolder: '/none', version: '0' })
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok', checks: {} })
    await app.close()
  })
})
