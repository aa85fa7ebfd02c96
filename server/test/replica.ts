import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/composition/app'
import { readConfig, type Config } from '../src/config/config'
import type { Database } from '../src/db/database'
import { createServices } from '../src/composition/services'
import { cheapPasswordCost } from './databases'

/** A second server on the same database, with the same secrets and its own data folder. */
export const startReplica = async (database: Database, changes: Partial<Config> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-replica-'))
  const secrets = { JWT_SECRET: 'test jwt secret', ENCRYPTION_SECRET: 'test encryption secret' }
  const config = { ...readConfig({ ...secrets, DATA_DIR: folder }), ...changes }
  const services = createServices({
    database,
    config,
    logError: (message) => void process.stderr.write(`${message}\n`),
    passwordCost: cheapPasswordCost,
  })
  const app = await buildApp({ config, services, consoleFolder: join(folder, 'none'), version: '0.0.0' })
  await app.ready()
  return {
    app,
    close: async () => {
      await app.close()
      await services.recordingStore.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
