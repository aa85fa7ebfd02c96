import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'

/** Creates the driver's error if the database is down. */
const createConnectionError = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3306'), { code: 'ECONNREFUSED', fatal: true })

describe('a write while the database is down', () => {
  let backend: Backend
  let ingestApp: FastifyInstance
  beforeAll(async () => {
    backend = await startBackend({ config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
    backend.services.actors.findByToken = () => Promise.reject(createConnectionError())
    backend.services.accounts.providerOf = () => Promise.reject(createConnectionError())
    ingestApp = await buildIngestApp({
      config: { ...readConfig({}), logLevel: 'silent' },
      services: backend.services,
      consoleFolder: '',
      version: '0.0.0',
    })
  })
  afterAll(async () => {
    await ingestApp.close()
    await backend.close()
  })

  const write = (app: FastifyInstance, key?: string) =>
    app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: key ? { authorization: `Bearer ${key}` } : {},
      payload: `cdrs,account_sid=${backend.testData.acme.account} from="1"`,
    })

  it.each([
    ['while its API key is looked up', () => write(backend.app, backend.testData.keys.acme)],
    ['while the provider of its account is looked up', () => write(ingestApp)],
  ])('gets 503 and Retry-After %s', async (_, send) => {
    const { statusCode, headers, body } = await send()
    expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([
      503,
      '5',
      { error: 'The database is not available at the moment' },
    ])
  })
})
