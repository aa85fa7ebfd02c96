import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import { startServer } from '../scripts/launch/server'
import { fillCalls } from './calls'
import { fill, type Size } from './seed-records'
import { ask } from './http'

const sampleEveryMs = 5
const samplesPerSearch = 400
const keptDays = 30

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (times: readonly number[], part: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

const delayReport = (what: string, times: readonly number[]) => {
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => percentile(times, part).toFixed(1))
  return `${what}: ${times.length} other requests took p50 ${p50}, p99 ${p99}, at most ${max} ms, ${times.filter((ms) => ms > 50).length} over 50 ms`
}

/** Repeats a small request; returns the duration of each. */
const sample = async (send: () => Promise<unknown>, goOn: (count: number) => boolean): Promise<number[]> => {
  const times: number[] = []
  while (goOn(times.length)) {
    const startedAt = performance.now()
    await send()
    times.push(performance.now() - startedAt)
    await sleep(sampleEveryMs)
  }
  return times
}

const whileSearching = async (base: string, token: string, searchers: number): Promise<string> => {
  let running = true
  const search = async (lane: number) => {
    for (let each = 0; running; each += 1) {
      const filter = `${lane}${each}99999999`
      const path = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}/RecentCalls?page=1&count=25&days=90&filter=${filter}`
      await ask(base, { path, token })
    }
  }
  const searches = Array.from({ length: searchers }, (_, lane) => search(lane))
  const send = () => ask(base, { path: '/v1/Users/me', token })
  const times = await sample(send, (count) => count < samplesPerSearch)
  running = false
  await Promise.all(searches)
  return delayReport(`${searchers} text searches`, times)
}

const whilePruning = async (file: string, settings: Record<string, string>): Promise<string[]> => {
  const database = new Sqlite(file, { readonly: true })
  const count = database.prepare('select count(*) as number from trunkline_calls')
  const old = database.prepare('select 1 from trunkline_calls where id < ? limit 1')
  const oldest = (Date.now() - (keptDays + 1) * 86_400_000) * 1024
  const before = (count.get() as { number: number }).number
  const startedAt = performance.now()
  const server = await startServer({ ...settings, CALL_RETENTION_DAYS: String(keptDays) })
  try {
    const readyMs = performance.now() - startedAt
    const send = () => ask(server.url, { path: '/healthz' })
    const times = await sample(send, (each) => each % 100 !== 0 || old.get(oldest) !== undefined)
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
  size: Size,
  calls: number,
  signIn: (base: string) => Promise<string>,
): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const file = join(folder, 'bench.sqlite')
  const settings = { DATABASE_URL: file, DISABLE_RATE_LIMITS: 'true', LOG_LEVEL: 'warn' }
  try {
    await fill(file, size)
    await fillCalls(file, calls)
    const lines: string[] = []
    const server = await startServer({ ...settings, INITIAL_ADMIN_PASSWORD: 'First-password-1' })
    try {
      const token = await signIn(server.url)
      for (const searchers of [0, 1, 4]) lines.push(await whileSearching(server.url, token, searchers))
    } finally {
      await server.dispose()
    }
    return [...lines, ...(await whilePruning(file, settings))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
