import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Database } from './database'

/** Consequences of different secrets on servers that share a database. */
const consequences = {
  JWT_SECRET: 'a session of one server is refused by the others',
  ENCRYPTION_SECRET: 'the other servers cannot read the credentials that one server stores',
}

type SecretSetting = keyof typeof consequences

const hashSecret = async (secret: string, salt: string): Promise<string> =>
  ((await promisify(scrypt)(secret, salt, 32)) as Buffer).toString('base64url')

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

type Secrets = Record<SecretSetting, string>

/** Compares a secret with that of the previous start: 'new' if there was none. */
const compareSecret = async ({ db }: Pick<Database, 'db'>, setting: SecretSetting, secret: string) => {
  const fingerprintQuery = db.selectFrom('trunkline_secret_fingerprints').selectAll().where('setting', '=', setting)
  const previous = await fingerprintQuery.executeTakeFirst()
  if (!previous) return 'new'
  return isEqual(previous.hash, await hashSecret(secret, previous.salt)) ? 'same' : 'changed'
}

/** Compares secrets concurrently: each hash takes 50 ms in another thread. */
const compareSecrets = async (database: Pick<Database, 'db'>, secrets: Secrets) =>
  Promise.all(
    (Object.entries(secrets) as [SecretSetting, string][]).map(async ([setting, secret]) => ({
      setting,
      secret,
      state: await compareSecret(database, setting, secret),
    })),
  )

const describeChange = (setting: SecretSetting) =>
  `${setting} has changed since the previous start on this database. If several servers share it, give all of them the ` +
  `same ${setting}; otherwise ${consequences[setting]}.`

/** A warning for each secret that differs from the previous start. Stores nothing. */
export const listChangedSecrets = async (database: Pick<Database, 'db'>, secrets: Secrets): Promise<string[]> =>
  (await compareSecrets(database, secrets))
    .filter(({ state }) => state === 'changed')
    .map(({ setting }) => describeChange(setting))

/**
 * Stores fingerprints of the secrets, and returns a warning for each secret that differs from the previous start. A changed
 * secret is reported once; servers with different secrets are reported at every start.
 */
export const findChangedSecrets = async (database: Pick<Database, 'db'>, secrets: Secrets): Promise<string[]> => {
  const comparisons = await compareSecrets(database, secrets)
  for (const { setting, secret, state } of comparisons) {
    if (state === 'same') continue
    const salt = randomBytes(16).toString('base64url')
    // One statement, because several servers may start at the same time.
    await sql`replace into trunkline_secret_fingerprints (setting, salt, hash)
      values (${setting}, ${salt}, ${await hashSecret(secret, salt)})`.execute(database.db)
  }
  return comparisons.filter(({ state }) => state === 'changed').map(({ setting }) => describeChange(setting))
}
