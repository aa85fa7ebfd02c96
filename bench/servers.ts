import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../server/src/db/database'
import { findFreePort, startServer } from '../scripts/launch/server'
import { addCalls } from './calls'
import { sendRequest } from './http'
import type { ConsoleBuild } from './interactions'
import { addRecords, type RecordCounts } from './seed-records'

const firstPassword = 'First-password-1'

/** The administrator of each measured server. */
export const administrator = { name: 'admin', password: 'Bench-password-1' }

const createSettings = (url: string, hepPort: number) => ({
  DATABASE_URL: url,
  ENABLE_INGEST: 'true',
  HEP_PORT: String(hepPort),
  INITIAL_ADMIN_PASSWORD: firstPassword,
  DISABLE_RATE_LIMITS: 'true',
  LOG_LEVEL: 'warn',
})

const signIn = async (base: string, secret: string): Promise<{ token: string; user_sid: string }> =>
  JSON.parse(
    await sendRequest(base, {
      method: 'POST',
      path: '/v1/login',
      body: { username: administrator.name, password: secret },
    }),
  ) as {
    token: string
    user_sid: string
  }

/** Signs in as administrator on a new server and completes the forced password change. */
export const completeFirstSignIn = async (base: string): Promise<string> => {
  const first = await signIn(base, firstPassword)
  const change = { old_password: firstPassword, new_password: administrator.password }
  await sendRequest(base, { method: 'PUT', path: `/v1/Users/${first.user_sid}`, token: first.token, body: change })
  return (await signIn(base, administrator.password)).token
}

/** A task that runs against a server, with an administrator's token and the server's port for captures. */
export type ServerTask<T> = (base: string, token: string, hepPort: number) => Promise<T>

/** Starts a server on a filled database, runs the task, and removes both. */
const withServer = async <T>(
  url: string,
  recordCounts: RecordCounts,
  run: ServerTask<T>,
  callCount: number,
): Promise<T> => {
  await addRecords(url, recordCounts)
  if (callCount > 0) await addCalls(url, callCount)
  const hepPort = await findFreePort()
  const server = await startServer(createSettings(url, hepPort))
  try {
    return await run(server.url, await completeFirstSignIn(server.url), hepPort)
  } finally {
    await server.dispose()
  }
}

/** Runs a task on a server with a filled SQLite database. */
export const runOnSqlite = async <T>(recordCounts: RecordCounts, run: ServerTask<T>, callCount = 0) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  try {
    return await withServer(join(folder, 'bench.sqlite'), recordCounts, run, callCount)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a task on a server with a filled database in MariaDB. */
export const runOnMariaDb = async <T>(
  mysqlUrl: string,
  recordCounts: RecordCounts,
  run: ServerTask<T>,
  callCount = 0,
) => {
  const name = `trunkline_bench_${randomBytes(4).toString('hex')}`
  const root = openDatabase(new URL('/information_schema', mysqlUrl).href)
  try {
    await sql.raw(`create database ${name}`).execute(root.db)
    return await withServer(new URL(`/${name}`, mysqlUrl).href, recordCounts, run, callCount)
  } finally {
    await sql.raw(`drop database if exists ${name}`).execute(root.db)
    await root.close()
  }
}

/**
 * Runs a task on this build and, if BENCH_BASELINE is the folder of another built checkout, also on that build with a
 * copy of the database.
 */
export const runOnBuilds = async <T>(
  recordCounts: RecordCounts,
  run: (builds: { current: ConsoleBuild; baseline?: ConsoleBuild }) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const dispose: (() => Promise<void>)[] = []
  const startBuild = async (file: string, projectFolder?: string): Promise<ConsoleBuild> => {
    const server = await startServer(createSettings(file, await findFreePort()), projectFolder)
    dispose.push(() => server.dispose())
    await completeFirstSignIn(server.url)
    return { base: server.url, credentials: administrator }
  }
  try {
    const file = join(folder, 'current.sqlite')
    await addRecords(file, recordCounts)
    const { BENCH_BASELINE: baselineFolder } = process.env
    if (!baselineFolder) return await run({ current: await startBuild(file) })
    const baselineFile = join(folder, 'baseline.sqlite')
    copyFileSync(file, baselineFile)
    return await run({ current: await startBuild(file), baseline: await startBuild(baselineFile, baselineFolder) })
  } finally {
    for (const disposeServer of dispose) await disposeServer()
    rmSync(folder, { recursive: true, force: true })
  }
}
