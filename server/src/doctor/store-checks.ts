import { existsSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ExternalServices } from '../composition/external-services'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { engineOfUrl, sqlitePathOfUrl } from '../db/database'
import { minFreeBytes } from '../db/readiness'
import { errorTextOf } from '../db/explain-error'
import { testStorage, type OpenObjectStorage } from '../ports/object-storage'
import type { CheckConfig } from './check-config'
import { failed, passed, warning, type Check, type Finding } from './checks'
import { accessDenied, readAccess } from './file-access'

const bucketTimeoutMs = 10_000
/** Each bucket is written to, so not all of a large installation are tested. */
const maxBuckets = 20
/** Less than this share of free space is worth a warning. */
const minFreeShare = 0.05

/** No record has this identifier: the answer 'unknown' proves that the store works. */
const unknownIdentifier = 'trunkline-doctor'
const unknownTraceId = '1'.padStart(32, '0')

/** Runs work against a server. The finding is 'passed' unless it throws. */
const probe = async (summary: string, repair: string, work: () => Promise<unknown>): Promise<Finding> => {
  try {
    await work()
    return passed(summary)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${errorTextOf(error.cause)})` : ''
    return failed(`${errorTextOf(error)}${cause}`, repair)
  }
}

const freeSpaceRepair = 'Delete old data, set retention periods (…_RETENTION_DAYS), or enlarge the disk.'

/** Explains why nothing can be written into a folder. */
export const judgeWriteError = (error: unknown, folder: string): Finding => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return failed(`${folder} cannot be written to: its disk is full.`, freeSpaceRepair)
    case 'EROFS':
      return failed(
        `${folder} cannot be written to: its file system is read-only.`,
        'Look for disk errors in the kernel log (dmesg), repair the file system, mount it again, and restart the server.',
      )
    default:
      return failed(errorTextOf(error), `Make ${folder} writable for the user that runs the server.`)
  }
}

const checkWritable = async (label: string, folder: string): Promise<Finding> => {
  try {
    const temporaryFolder = await mkdtemp(join(folder, '.doctor-'))
    try {
      await writeFile(join(temporaryFolder, 'test'), 'x')
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true })
    }
    return passed(`${label} ${folder} is writable.`)
  } catch (error) {
    return judgeWriteError(error, folder)
  }
}

const formatBytes = (bytes: number) =>
  bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`

export const judgeSpace = (freeBytes: number, totalBytes: number, folder: string): Finding => {
  const text = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free in ${folder}.`
  if (freeBytes < minFreeBytes) return failed(text, freeSpaceRepair)
  return freeBytes < totalBytes * minFreeShare ? warning(text, freeSpaceRepair) : passed(text)
}

const checkFolder = async (label: string, folder: string): Promise<Finding[]> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return [await checkWritable(label, folder), judgeSpace(bavail * bsize, blocks * bsize, folder)]
}

/** The folder of the SQLite file, if it is neither DATA_DIR nor missing. */
const findDatabaseFolder = ({ dataDir, database: { url } }: CheckConfig): string | undefined => {
  if (engineOfUrl(url) !== 'sqlite') return undefined
  const folder = dirname(sqlitePathOfUrl(url))
  return folder !== resolve(dataDir) && existsSync(folder) ? folder : undefined
}

const checkDataFolder = async (dataDir: string): Promise<Finding[]> => {
  switch (readAccess(dataDir)) {
    case 'permitted':
      return checkFolder('DATA_DIR', dataDir)
    case 'denied':
      return [accessDenied(`DATA_DIR ${dataDir}`)]
    case 'missing':
      return [
        warning(
          `DATA_DIR ${dataDir} does not exist yet.`,
          'Start the server, which creates it. If you expected data, check DATA_DIR.',
        ),
      ]
  }
}

const checkDisk = async (config: CheckConfig): Promise<Finding[]> => {
  const databaseFolder = findDatabaseFolder(config)
  return [
    ...(await checkDataFolder(config.dataDir)),
    ...(databaseFolder ? await checkFolder('The folder of the database', databaseFolder) : []),
  ]
}

const checkRedis = ({ cache, livePlatform }: ExternalServices): Promise<Finding[]> =>
  Promise.all([
    probe('Redis answers.', 'Check REDIS_URL, and that Redis is running.', () => cache.get(unknownIdentifier)),
    livePlatform?.listFeatureServers().then(
      (urls) =>
        urls.length > 0
          ? passed(`Feature servers: ${urls.join(', ')}.`)
          : warning(
              'No feature server is registered in Redis, so calls cannot be started or changed.',
              'Check that a feature server runs, and that CLUSTER_ID is its JAMBONES_CLUSTER_ID.',
            ),
      // reported by the first finding
      () => passed('Feature servers are unknown without Redis.'),
    ) ?? passed('No platform is connected.'),
  ])

/** Writes, reads and deletes a small object in the bucket of each account, as recordings require. */
export const checkBuckets = async (
  buckets: readonly { account_sid: string; credential: BucketCredential }[],
  openStorage: OpenObjectStorage,
): Promise<Finding[]> => {
  const repair = 'Correct the bucket of the account in the console (Edit account, Call recording).'
  const checkBucket = async ({ account_sid, credential }: (typeof buckets)[number]): Promise<Finding> => {
    const finding = await probe(`The bucket of account ${account_sid} is writable.`, repair, async () => {
      const storage = await openStorage(credential, account_sid)
      try {
        await testStorage(storage, AbortSignal.timeout(bucketTimeoutMs))
      } finally {
        storage.close()
      }
    })
    return finding.status === 'passed' ? finding : { ...finding, summary: `Account ${account_sid}: ${finding.summary}` }
  }
  const findings = await Promise.all(buckets.slice(0, maxBuckets).map(checkBucket))
  const untestedCount = buckets.length - maxBuckets
  if (untestedCount > 0) findings.push(passed(`${untestedCount} more buckets were not tested.`))
  return findings
}

/** The checks of what the settings connect. What is not configured has no check. */
export const listStoreChecks = (config: CheckConfig, services: ExternalServices): Check[] => {
  const { callHistory, traces, captures } = services
  const { mail, redis } = config
  const checkAnswer = (name: string, repair: string, work: () => Promise<unknown>): Check => ({
    name,
    run: async () => [await probe(`${name} answers.`, repair, work)],
  })
  const [callHistoryName, callHistoryRepair] = config.clickHouseUrl
    ? ['ClickHouse', 'Check CLICKHOUSE_URL, and that a supported version of ClickHouse is running.']
    : ['InfluxDB', 'Check INFLUX_URL, and that InfluxDB is running.']
  const checks: (Check | false | undefined)[] = [
    { name: 'Data folder', run: () => checkDisk(config) },
    redis !== undefined && { name: 'Redis', run: () => checkRedis(services) },
    callHistory &&
      checkAnswer(callHistoryName, callHistoryRepair, () =>
        callHistory.findCall({ account_sid: unknownIdentifier }, { call_sid: unknownIdentifier }),
      ),
    traces &&
      checkAnswer('Jaeger', 'Check JAEGER_URL, and that Jaeger is running.', () => traces.findParts(unknownTraceId)),
    captures &&
      checkAnswer('Homer', 'Check HOMER_BASE_URL, HOMER_USERNAME and HOMER_PASSWORD.', () =>
        captures.findMessages(unknownIdentifier),
      ),
    mail &&
      checkAnswer('Mail server', 'Check SMTP_URL, and firewalls for its port.', async () =>
        (await import('../adapters/mail/smtp')).verifySmtp(mail),
      ),
  ]
  return checks.filter((check) => check !== false && check !== undefined)
}
