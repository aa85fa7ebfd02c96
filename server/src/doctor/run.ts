import { connectExternalServices } from '../composition/external-services'
import { ConfigError, readConfig, type Config } from '../config/config'
import type { Environment } from '../config/settings'
import { readTableColumns } from '../db/platform-check'
import { createApiCheck } from './api-check'
import { createSettingCheck, listChecks } from './check-list'
import { failed, runChecks, type CheckResult } from './checks'
import { createCollectorCheck } from './collector-check'
import { openForChecks } from './database-checks'

const checkInstallation = async (config: Config): Promise<CheckResult[]> => {
  const { database, findings } = await openForChecks(config)
  const services = await connectExternalServices(config)
  try {
    // Without our tables the first start is yet to come.
    const isPrepared =
      database !== undefined && (await readTableColumns(database.db)).has('trunkline_secret_fingerprints')
    const databaseCheck = { name: 'Database', run: () => Promise.resolve(findings) }
    return await runChecks(listChecks(config, { databaseCheck, database, isPrepared, services }))
  } finally {
    services.mail?.close()
    services.livePlatform?.close()
    await services.cache.close()
    await database?.close()
  }
}

/** Checks the installation that these environment variables describe. Leaves nothing behind, and may run beside the server. */
export const examine = async (environment?: Environment): Promise<CheckResult[]> => {
  let config: Config
  try {
    config = readConfig(environment, { createsFiles: false })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ name: 'Settings', findings: [failed(error.message, 'See docs/configuration.md.')] }]
  }
  if (!config.apiBaseUrl) return checkInstallation(config)
  return runChecks([
    createSettingCheck(config),
    createApiCheck(config.apiBaseUrl),
    ...(config.telemetry ? [createCollectorCheck(config.telemetry)] : []),
  ])
}
