import { connectExternalServices } from '../composition/external-services'
import { createBucketOpener } from '../adapters/recordings/open-bucket'
import { ConfigError, readConfig, type Config } from '../config/config'
import type { Environment } from '../config/settings'
import type { Database } from '../db/database'
import { readTableColumns } from '../db/platform-check'
import { failed, ok, runChecks, warning, type Check, type CheckResult, type Finding } from './checks'
import { listDatabaseChecks, openForChecks } from './database-checks'
import { createConfiguredEncryption, createSecretCheck } from './secret-checks'
import { checkBuckets, listStoreChecks } from './store-checks'

const listSettingFindings = ({ warnings }: Config): Finding[] => [
  ok('All settings are valid.'),
  ...warnings.map((message) => warning(message, 'See docs/configuration.md.')),
]

/** The console alone needs only the other API. */
const createApiCheck = (apiBaseUrl: string): Check => ({
  name: 'API',
  run: async () => {
    try {
      const { status } = await fetch(apiBaseUrl, { signal: AbortSignal.timeout(10_000) })
      return [ok(`${apiBaseUrl} answers (status ${status}).`)]
    } catch {
      return [failed(`${apiBaseUrl} does not answer.`, 'Check API_BASE_URL, and that its server is running.')]
    }
  },
})

const createBucketCheck = (config: Config, database: Database): Check => ({
  name: 'Buckets',
  run: async () => {
    const { decryptJson } = createConfiguredEncryption(config)
    const rows = await database.db
      .selectFrom('accounts')
      .select(['account_sid', 'bucket_credential'])
      .where('bucket_credential', 'is not', null)
      .orderBy('account_sid')
      .execute()
    const buckets = rows.flatMap(({ account_sid, bucket_credential }) => {
      const decryption = decryptJson(bucket_credential ?? '')
      // Unreadable credentials are reported with the secrets.
      return decryption.ok ? [{ account_sid, credential: { vendor: '', ...decryption.value } }] : []
    })
    const openBucket = createBucketOpener({ allowPrivateTargets: config.bucketPrivateTargets })
    const findings = await checkBuckets(buckets, openBucket)
    return findings.length > 0 ? findings : [ok('No account has a bucket: recordings are stored in DATA_DIR.')]
  },
})

const checkInstallation = async (config: Config): Promise<CheckResult[]> => {
  const { database, findings } = await openForChecks(config)
  const services = await connectExternalServices(config)
  try {
    // Without our tables the first start is yet to come.
    const isPrepared = database && (await readTableColumns(database.db)).has('trunkline_secret_fingerprints')
    const preparedDatabase = isPrepared ? database : undefined
    return await runChecks([
      { name: 'Settings', run: () => Promise.resolve(listSettingFindings(config)) },
      { name: 'Database', run: () => Promise.resolve(findings) },
      ...(database ? listDatabaseChecks(database, config) : []),
      createSecretCheck(config, preparedDatabase),
      ...listStoreChecks(config, services),
      ...(preparedDatabase ? [createBucketCheck(config, preparedDatabase)] : []),
    ])
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
  const settingCheck = { name: 'Settings', run: () => Promise.resolve(listSettingFindings(config)) }
  return runChecks([settingCheck, createApiCheck(config.apiBaseUrl)])
}
