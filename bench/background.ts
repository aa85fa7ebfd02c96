import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import { startServer } from '../scripts/launch/server'
import { fillCalls } from './calls'
import { addRecords, type RecordCounts } from './seed-records'
import { sendRequest } from './http'

const sampleEveryMs = 5
const sampleCount = 400
const retentionDays = 30

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (times: readonly number[], fraction: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * fraction))] ?? 0

const delayReport = (label: string, times: readonly number[]) => {
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => percentile(times, part).toFixed(1))
  return `${label}: ${times.length} other requests took p50 ${p50}, p99 ${p99}, at most ${max} ms, ${times.filter((ms) => ms > 50).length} over 50 ms`
}

/** Repeats a small request; returns the duration of each. */
const sampleLatency = async (
  send: () => Promise<unknown>,
  shouldContinue: (count: number) => boolean,
): Promise<number[]> => {
  const times: number[] = []
  while (shouldContinue(times.length)) {
    const startedAt = performance.now()
    await send()
    times.push(performance.now() - startedAt)
    await sleep(sampleEveryMs)
  }
  return times
}

const measureDuringSearches = async (base: string, token: string, searchers: number): Promise<string> => {
  let isRunning = true
  const search = async (worker: number) => {
    for (let each = 0; isRunning; each += 1) {
      const filter = `${worker}${each}99999999`
      const path = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}/RecentCalls?page=1&count=25&days=90&filter=${filter}`
      await sendRequest(base, { path, token })
    }
  }
  const searches = Array.from({ length: searchers }, (_, lane) => search(lane))
  const send = () => sendRequest(base, { path: '/v1/Users/me', token })
  const times = await sampleLatency(send, (count) => count < sampleCount)
  isRunning = false
  await Promise.all(searches)
  return delayReport(`${searchers} text searches`, times)
}

const measureDuringPruning = async (file: string, settings: Record<string, string>): Promise<string[]> => {
  const database = new Sqlite(file, { readonly: true })
  const count = database.prepare('select count(*) as number from trunkline_calls')
  const oldCall = database.prepare('select 1 from trunkline_calls where id < ? limit 1')
  const oldest = (Date.now() - (retentionDays + 1) * 86_400_000) * 1024
  const before = (count.get() as { number: number }).number
  const startedAt = performance.now()
  const server = await startServer({ ...settings, CALL_RETENTION_DAYS: String(retentionDays) })
  try {
    const readyMs = performance.now() - startedAt
    const send = () => sendRequest(server.url, { path: '/healthz' })
    const times = await sampleLatency(send, (each) => each % 100 !== 0 || oldCall.get(oldest) !== undefined)
    const seconds = (performance.now() - startedAt) / 1000
    const deleted = before - (count.get() as { number: number }).number
    return [
      `pruning ${deleted} of ${before} calls: ready after ${readyMs.toFixed(0)} ms, done after ${seconds.toFixed(0)} s`,
      delayReport('pruning', times),
    ]
  } finally {
    await server.dispose()
    database.close()
  }
}

/** Measures how long other requests wait on SQLite while calls are searched and pruned. */
export const measureBackground = async (
  size: RecordCounts,
  calls: number,
  signIn: (base: string) => Promise<string>,
): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'bench.sqlite')
  const settings = { DATABASE_URL: file, DISABLE_RATE_LIMITS: 'true', LOG_LEVEL: 'warn' }
  try {
    await addRecords(file, size)
    await fillCalls(file, calls)
    const lines: string[] = []
    const server = await startServer({ ...settings, INITIAL_ADMIN_PASSWORD: 'First-password-1' })
    try {
      const token = await signIn(server.url)
      for (const searchers of [0, 1, 4]) lines.push(await measureDuringSearches(server.url, token, searchers))
    } finally {
      await server.dispose()
    }
    return [...lines, ...(await measureDuringPruning(file, settings))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
