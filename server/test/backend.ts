import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app'
import { readConfig, type Config } from '../src/config/config'
import type { Database, Engine } from '../src/db/database'
import { servicesOf, type ExternalServices, type Services } from '../src/services'
import { CHEAP, fresh } from './engines'
import { populate, type World } from './world'

export interface Backend {
  app: FastifyInstance
  services: Services
  database: Database
  /** The tenants, users and records that exist in every test. */
  world: World
  /** The log so far. */
  log(): string
  close(): Promise<void>
}

export interface BackendOptions {
  engine?: Engine
  config?: Partial<Config>
  /** External services; in memory by default. */
  outside?: Partial<ExternalServices>
}

/** The real app with a new, populated database: in memory with SQLite, temporary with MySQL. Does not listen. */
export const startBackend = async ({
  engine = 'sqlite',
  config = {},
  outside,
}: BackendOptions = {}): Promise<Backend> => {
  const database = await fresh(engine)
  const lines: string[] = []
  const logTo = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-data-'))
  const settings: Config = {
    ...readConfig({ JWT_SECRET: 'test jwt secret', ENCRYPTION_SECRET: 'test encryption secret', DATA_DIR: folder }),
    rateLimit: null,
    ...config,
  }
  const services = servicesOf(database, settings, CHEAP, outside)
  const app = await buildApp({
    config: settings,
    services,
    consoleFolder: join(import.meta.dirname, 'no-console'),
    version: '0.0.0',
    logStream: logTo,
  })
  await app.ready()
  const world = await populate(services)
  return {
    app,
    services,
    database,
    world,
    log: () => lines.join(''),
    close: async () => {
      await app.close()
      await services.recordingStore.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
