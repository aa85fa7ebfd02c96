import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/composition/app'
import { readConfig, type Config } from '../src/config/config'
import type { ExternalServices } from '../src/composition/external-services'
import type { Database, DatabaseEngine } from '../src/db/database'
import { createServices, type Services } from '../src/composition/services'
import { cheapPasswordCost, createSeededDatabase } from './databases'
import { insertTestData, type TestData } from './test-data'

export interface Backend {
  app: FastifyInstance
  services: Services
  database: Database
  /** The tenants, users and records that exist in every test. */
  testData: TestData
  /** The log so far. */
  log(): string
  close(): Promise<void>
}

export interface BackendOptions {
  databaseEngine?: DatabaseEngine
  config?: Partial<Config>
  /** External services; in memory by default. */
  externalServices?: Partial<ExternalServices>
}

/** The real app with a new, populated database: in memory with SQLite, temporary with MySQL. Does not listen. */
export const startBackend = async ({
  databaseEngine = 'sqlite',
  config = {},
  externalServices,
}: BackendOptions = {}): Promise<Backend> => {
  const database = await createSeededDatabase(databaseEngine)
  const logLines: string[] = []
  const logStream = new Writable({
    write(chunk, _, done) {
      logLines.push(String(chunk))
      done()
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-data-'))
  const fullConfig: Config = {
    ...readConfig({ JWT_SECRET: 'test jwt secret', ENCRYPTION_SECRET: 'test encryption secret', DATA_DIR: folder }),
    rateLimit: null,
    ...config,
  }
  const services = createServices({
    database,
    config: fullConfig,
    logError: (message) => void logLines.push(`${message}\n`),
    passwordCost: cheapPasswordCost,
    ...(externalServices ? { externalServices } : {}),
  })
  const app = await buildApp({
    config: fullConfig,
    services,
    consoleFolder: join(import.meta.dirname, 'no-console'),
    version: '0.0.0',
    logStream,
  })
  await app.ready()
  const testData = await insertTestData(services)
  return {
    app,
    services,
    database,
    testData,
    log: () => logLines.join(''),
    close: async () => {
      await app.close()
      await services.recordingStore.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
