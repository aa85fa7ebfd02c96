import { readFileSync } from 'node:fs'
import { ConfigError, type Config } from '../config/config'
import { openDatabase, type Database, type DatabaseOptions } from '../db/database'

const readCertificates = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`DATABASE_CA_FILE ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Opens the database of the settings. */
export const openConfiguredDatabase = (
  { database }: Pick<Config, 'database'>,
  options: Pick<DatabaseOptions, 'onStatement'> = {},
): Database =>
  openDatabase(database.url, {
    ...options,
    connectionLimit: database.connections,
    timeoutSeconds: database.timeoutSeconds,
    ...(database.caFile ? { tls: { ca: readCertificates(database.caFile) } } : {}),
  })
