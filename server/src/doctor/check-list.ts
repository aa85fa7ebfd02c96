import { createBucketOpener } from '../adapters/recordings/open-bucket'
import type { ExternalServices } from '../composition/external-services'
import type { Config } from '../config/config'
import type { Database } from '../db/database'
import type { OpenObjectStorage } from '../ports/object-storage'
import type { CheckConfig } from './check-config'
import { passed, warning, type Check, type Finding } from './checks'
import { createCollectorCheck } from './collector-check'
import { listDatabaseChecks } from './database-checks'
import { createConfiguredEncryption, createSecretCheck } from './secret-checks'
import { checkBuckets, listStoreChecks } from './store-checks'

const listSettingFindings = ({ warnings }: Pick<Config, 'warnings'>): Finding[] => [
  passed('All settings are valid.'),
  ...warnings.map((message) => warning(message, 'See docs/configuration.md.')),
]

export const createSettingCheck = (config: Pick<Config, 'warnings'>): Check => ({
  name: 'Settings',
  run: () => Promise.resolve(listSettingFindings(config)),
})

const createBucketCheck = (
  config: CheckConfig,
  database: Pick<Database, 'db'>,
  openBucket: OpenObjectStorage = createBucketOpener({ allowPrivateTargets: config.bucketPrivateTargets }),
): Check => ({
  name: 'Buckets',
  writes: true,
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
    const findings = await checkBuckets(buckets, openBucket)
    return findings.length > 0 ? findings : [passed('No account has a bucket: recordings are stored in DATA_DIR.')]
  },
})

export interface CheckTargets {
  databaseCheck: Check
  /** Absent if it could not be opened. */
  database: Pick<Database, 'db' | 'engine'> | undefined
  /** Whether the database has our tables. Without them the first start is yet to come. */
  isPrepared: boolean
  services: ExternalServices
}

/** All checks of a server, in the order of the report. */
export const listChecks = (
  config: CheckConfig,
  { databaseCheck, database, isPrepared, services }: CheckTargets,
): Check[] => {
  const preparedDatabase = isPrepared ? database : undefined
  return [
    createSettingCheck(config),
    databaseCheck,
    ...(database ? listDatabaseChecks(database, config) : []),
    createSecretCheck(config, preparedDatabase),
    ...listStoreChecks(config, services),
    ...(config.telemetry ? [createCollectorCheck(config.telemetry)] : []),
    ...(preparedDatabase ? [createBucketCheck(config, preparedDatabase, services.openStorage)] : []),
  ]
}
