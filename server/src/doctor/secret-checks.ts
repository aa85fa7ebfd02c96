import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretIfPresent } from '../config/files'
import { isWeakPassword } from '../config/warnings'
import type { Database } from '../db/database'
import { listChangedSecrets } from '../db/secret-fingerprints'
import { createSecretEncryption } from '../secrets/encryption'
import type { CheckConfig } from './check-config'
import { failed, passed, warning, type Check, type Finding } from './checks'

type SqlDatabase = Pick<Database, 'db'>

/** More would take long, and a wrong secret shows in the first. */
const maxCredentials = 50

const fileNames = { JWT_SECRET: 'jwt-secret', ENCRYPTION_SECRET: 'encryption-secret' } as const
type SecretSetting = keyof typeof fileNames

const checkFile = (setting: SecretSetting, file: string): Finding => {
  if ((statSync(file).mode & 0o077) !== 0)
    return failed(`Other users of this machine can read ${file}.`, `Run: chmod 600 ${file}`)
  return passed(`${setting} was generated (${file}). Set it yourself if several servers share the database.`)
}

const checkSecret = (setting: SecretSetting, secret: string, folder: string): Finding => {
  const file = join(folder, fileNames[setting])
  if (secret === '') return warning(`${setting} is not set yet.`, 'The first start generates it, or set it yourself.')
  if (existsSync(file) && readSecretIfPresent(folder, fileNames[setting]) === secret) return checkFile(setting, file)
  if (isWeakPassword(secret))
    return failed(
      `${setting} is easy to guess.`,
      setting === 'JWT_SECRET'
        ? 'Replace it, for example with the output of: openssl rand -base64 32. Users then sign in again.'
        : 'Choose a long random one. Credentials that are stored already need the old one, so enter them again.',
    )
  return passed(`${setting} is set.`)
}

export const createConfiguredEncryption = ({ secrets }: CheckConfig) =>
  createSecretEncryption(secrets.encryption, { legacy: secrets.legacyCrypto })

/** Whether stored credentials can be decrypted. */
const checkStoredCredentials = async ({ db }: SqlDatabase, config: CheckConfig): Promise<Finding> => {
  const speechRows = await db
    .selectFrom('speech_credentials')
    .select('credential as text')
    .where('credential', 'is not', null)
    .limit(maxCredentials)
    .execute()
  const bucketRows = await db
    .selectFrom('accounts')
    .select('bucket_credential as text')
    .where('bucket_credential', 'is not', null)
    .limit(maxCredentials)
    .execute()
  const { decryptJson } = createConfiguredEncryption(config)
  const texts = [...speechRows, ...bucketRows].flatMap(({ text }) => (text ? [text] : []))
  const unreadableCount = texts.filter((text) => !decryptJson(text).ok).length
  if (unreadableCount === 0) return passed(`${texts.length} stored credentials can be decrypted.`)
  return failed(
    `${unreadableCount} of ${texts.length} stored credentials of speech vendors and buckets cannot be decrypted.`,
    'Set ENCRYPTION_SECRET to the value that they were stored with, and LEGACY_CRYPTO if the platform uses it.',
  )
}

const checkSecretsInDatabase = async (database: SqlDatabase, config: CheckConfig): Promise<Finding[]> => {
  const changes = await listChangedSecrets(database, {
    JWT_SECRET: config.secrets.jwt,
    ENCRYPTION_SECRET: config.secrets.encryption,
  })
  return [
    ...changes.map((message) => warning(message, 'Use the earlier value again unless the change is intended.')),
    await checkStoredCredentials(database, config),
  ]
}

/** The secrets, and whether they fit the database. `database` has our tables; absent if it has none yet. */
export const createSecretCheck = (config: CheckConfig, database: SqlDatabase | undefined): Check => ({
  name: 'Secrets',
  run: async () => [
    checkSecret('JWT_SECRET', config.secrets.jwt, config.dataDir),
    checkSecret('ENCRYPTION_SECRET', config.secrets.encryption, config.dataDir),
    ...(database ? await checkSecretsInDatabase(database, config) : []),
  ],
})
