import type { HealthCheck, SystemHealth } from '@trunkline/contract/shapes/system-health'
import type { ExternalServices } from '../composition/external-services'
import type { Database } from '../db/database'
import type { CheckConfig } from './check-config'
import { listChecks } from './check-list'
import { getWorstStatus, runCheck, type Check } from './checks'
import { checkConnection } from './database-checks'

/** The response has to arrive before proxies give up. */
const checkTimeoutMs = 15_000
/** Requests within this time get the same response, so that polling is cheap. */
const cacheLifetimeMs = 10_000
/** A check that writes is repeated after this time, or at once if it has found a problem. */
const writeIntervalMs = 600_000

/** The checks of a running server, with its own connections. */
export const listServerChecks = (
  config: CheckConfig,
  { database, services }: { database: Database; services: ExternalServices },
): Check[] => {
  const databaseCheck = { name: 'Database', run: () => checkConnection(database, config.database.url) }
  return listChecks(config, { databaseCheck, database, isPrepared: true, services })
}

/** Repeats a check. A run that takes too long is not started a second time while it continues. */
const createRepeatedCheck = ({ name, writes, run }: Check) => {
  let currentRun: ReturnType<Check['run']> | undefined
  let lastPass: { atMs: number; result: HealthCheck } | undefined
  const runOnce = () => (currentRun ??= run().finally(() => (currentRun = undefined)))

  return async (): Promise<HealthCheck> => {
    if (lastPass && performance.now() - lastPass.atMs < writeIntervalMs) return lastPass.result
    const checked_at = new Date().toISOString()
    const { findings } = await runCheck({ name, run: runOnce }, checkTimeoutMs)
    const result = { name, status: getWorstStatus(findings), checked_at, findings }
    lastPass = writes && result.status === 'passed' ? { atMs: performance.now(), result } : undefined
    return result
  }
}

/** Returns a function that runs all checks concurrently, and that keeps their results for some seconds. */
export const createSystemHealth = (checks: readonly Check[]): (() => Promise<Omit<SystemHealth, 'version'>>) => {
  const repeatedChecks = checks.map(createRepeatedCheck)
  let last: { atMs: number; health: Omit<SystemHealth, 'version'> } | undefined
  let current: Promise<Omit<SystemHealth, 'version'>> | undefined

  const check = async () => {
    const checked_at = new Date().toISOString()
    const health = { checked_at, checks: await Promise.all(repeatedChecks.map((runRepeated) => runRepeated())) }
    last = { atMs: performance.now(), health }
    return health
  }

  return async () => {
    if (last && performance.now() - last.atMs < cacheLifetimeMs) return last.health
    current ??= check().finally(() => (current = undefined))
    return current
  }
}
