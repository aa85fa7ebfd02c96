import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sqlite } from '../server/src/db/sqlite-driver'
import { startServer } from '../scripts/launch/server'
import { addCalls } from './calls'
import { addRecords, type RecordCounts } from './seed-records'
import { providerPath, sendRequest } from './http'

const sampleEveryMs = 5
const sampleCount = 400
const retentionDays = 30

/** A module that the server process imports: it measures how long its event loop is blocked. */
const eventLoopDelayModule = new URL('event-loop-delay.mjs', import.meta.url).href

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (latenciesMs: readonly number[], fraction: number) =>
  latenciesMs.toSorted((a, b) => a - b)[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * fraction))] ??
  0

const formatDelays = (label: string, latenciesMs: readonly number[]) => {
  const [p50, p99, max] = [0.5, 0.99, 1].map((fraction) => percentile(latenciesMs, fraction).toFixed(1))
  return `${label}: ${latenciesMs.length} other requests took p50 ${p50}, p99 ${p99}, at most ${max} ms, ${latenciesMs.filter((ms) => ms > 50).length} over 50 ms`
}

/** Repeats a small request; returns the duration of each. */
const measureLatencies = async (
  send: () => Promise<unknown>,
  shouldContinue: (count: number) => boolean,
): Promise<number[]> => {
  const latenciesMs: number[] = []
  while (shouldContinue(latenciesMs.length)) {
    const startedAt = performance.now()
    await send()
    latenciesMs.push(performance.now() - startedAt)
    await sleep(sampleEveryMs)
  }
  return latenciesMs
}

const measureDuringSearches = async (base: string, token: string, searchCount: number): Promise<string> => {
  let isRunning = true
  const search = async (searchNumber: number) => {
    for (let requestNumber = 0; isRunning; requestNumber += 1) {
      const filter = `${searchNumber}${requestNumber}99999999`
      const path = `${providerPath}/RecentCalls?page=1&count=25&days=90&filter=${filter}`
      await sendRequest(base, { path, token })
    }
  }
  const searches = Array.from({ length: searchCount }, (_, searchNumber) => search(searchNumber))
  const send = () => sendRequest(base, { path: '/v1/Users/me', token })
  const latenciesMs = await measureLatencies(send, (count) => count < sampleCount)
  isRunning = false
  await Promise.all(searches)
  return formatDelays(`${searchCount} text searches`, latenciesMs)
}

const measureDuringPruning = async (file: string, settings: Record<string, string>): Promise<string[]> => {
  const database = new Sqlite(file, { readonly: true })
  const callCountQuery = database.prepare('select count(*) as number from trunkline_calls')
  const expiredCallQuery = database.prepare('select 1 from trunkline_calls where id < ? limit 1')
  // the ID of a call is its time in milliseconds times 1024, plus a number below 1024
  const retentionLimitId = (Date.now() - (retentionDays + 1) * 86_400_000) * 1024
  const countBefore = (callCountQuery.get() as { number: number }).number
  const startedAt = performance.now()
  const server = await startServer({
    ...settings,
    CALL_RETENTION_DAYS: String(retentionDays),
    NODE_OPTIONS: `--import ${eventLoopDelayModule}`,
  })
  try {
    const readyMs = performance.now() - startedAt
    const send = () => sendRequest(server.url, { path: '/healthz' })
    const latenciesMs = await measureLatencies(
      send,
      (sampleIndex) => sampleIndex % 100 !== 0 || expiredCallQuery.get(retentionLimitId) !== undefined,
    )
    const seconds = (performance.now() - startedAt) / 1000
    const deletedCount = countBefore - (callCountQuery.get() as { number: number }).number
    await server.stop()
    const eventLoopLine = /event loop delay: .*/.exec(server.output())?.[0] ?? 'event loop delay: not reported'
    return [
      `pruning ${deletedCount} of ${countBefore} calls: ready after ${readyMs.toFixed(0)} ms, done after ${seconds.toFixed(0)} s`,
      formatDelays('pruning', latenciesMs),
      `pruning, ${eventLoopLine}`,
    ]
  } finally {
    await server.dispose()
    database.close()
  }
}

/** Measures how long other requests wait on SQLite while calls are searched and pruned. */
export const measureBackground = async (
  recordCounts: RecordCounts,
  callCount: number,
  signIn: (base: string) => Promise<string>,
): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'bench.sqlite')
  const settings = { DATABASE_URL: file, DISABLE_RATE_LIMITS: 'true', LOG_LEVEL: 'warn' }
  try {
    await addRecords(file, recordCounts)
    await addCalls(file, callCount)
    const lines: string[] = []
    const server = await startServer({ ...settings, INITIAL_ADMIN_PASSWORD: 'First-password-1' })
    try {
      const token = await signIn(server.url)
      for (const searchCount of [0, 1, 4]) lines.push(await measureDuringSearches(server.url, token, searchCount))
    } finally {
      await server.dispose()
    }
    return [...lines, ...(await measureDuringPruning(file, settings))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
