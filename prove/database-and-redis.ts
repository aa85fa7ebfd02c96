import { runSql } from '../scripts/launch/database'
import type { ProofResult } from './proof'
import { startMariaDb, type Service } from './services'

interface DatabaseAndRedis<Redis> {
  database: Service
  /** The value for DATABASE_URL: an empty database. */
  databaseUrl: string
  redis: Redis
}

/** Runs a proof with a MariaDB and a Redis of its own. The proof is skipped if one of them cannot be installed. */
export const withDatabaseAndRedis = async <Redis extends { dispose: () => Promise<void> }>(
  startRedis: () => Promise<Redis | undefined>,
  prove: (services: DatabaseAndRedis<Redis>) => Promise<ProofResult>,
): Promise<ProofResult> => {
  const database = await startMariaDb()
  const redis = await startRedis()
  try {
    if (!database || !redis)
      return {
        failures: [],
        figures: '',
        skipped: 'because MariaDB or Redis is not installed and cannot be installed.',
      }
    await runSql({ url: database.url }, 'create database trunkline')
    return await prove({ database: database.service, databaseUrl: `${database.url}/trunkline`, redis })
  } finally {
    await redis?.dispose()
    await database?.service.dispose()
  }
}
