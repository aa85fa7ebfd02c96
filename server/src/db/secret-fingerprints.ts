import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Database } from './database'

/** What goes wrong where servers on one database have different secrets. */
const consequences = {
  JWT_SECRET: 'a sign-in at one server is refused by the others',
  ENCRYPTION_SECRET: 'credentials that one server stores cannot be read by the others',
}

export type SecretSetting = keyof typeof consequences

const hashOf = async (secret: string, salt: string): Promise<string> =>
  ((await promisify(scrypt)(secret, salt, 32)) as Buffer).toString('base64url')

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Remembers the secrets of this start, and returns a sentence for each that differs from the one of the start before. A secret that was
 * changed on purpose is reported once; servers that differ from each other are reported at every start.
 */
export const secretWarnings = async (
  { db }: Pick<Database, 'db'>,
  secrets: Record<SecretSetting, string>,
): Promise<string[]> => {
  const warnings: string[] = []
  for (const [setting, secret] of Object.entries(secrets) as [SecretSetting, string][]) {
    const rows = db.selectFrom('trunkline_secret_fingerprints').selectAll().where('setting', '=', setting)
    const previous = await rows.executeTakeFirst()
    if (previous && isSame(previous.hash, await hashOf(secret, previous.salt))) continue
    const salt = randomBytes(16).toString('base64url')
    // one statement, because several servers may start at the same time
    await sql`replace into trunkline_secret_fingerprints (setting, salt, hash)
      values (${setting}, ${salt}, ${await hashOf(secret, salt)})`.execute(db)
    if (previous)
      warnings.push(
        `${setting} is not the one of the last start on this database. If several servers use it, give all of them the same ` +
          `${setting}: else ${consequences[setting]}.`,
      )
  }
  return warnings
}
