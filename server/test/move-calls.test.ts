import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, newTenants } from './call-stores'
import { createSqlCallHistory } from '../src/adapters/call-history/sql/store'
import { openDatabase } from '../src/db/database'
import { migrate } from '../src/db/migrate'

const program = fileURLToPath(new URL('../src/move-calls.ts', import.meta.url))
const hourMs = 3_600_000
const callCount = 3000
const owner = { service_provider_sid: newTenants().north }

describe('npm run move-calls', () => {
  let folder = ''
  const fileOf = (name: string) => join(folder, `${name}.sqlite`)
  const dataDir = () => join(folder, 'data')

  const openHistory = async (name: string) => {
    const database = openDatabase(fileOf(name))
    await migrate(database.db)
    const history = createSqlCallHistory({ database }, { calls: 0, alerts: 0 })
    await history.backfill(new AbortController().signal)
    return { history, close: () => database.close() }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trunkline-move-'))
    const { history, close } = await openHistory('source')
    const startAt = Date.parse('2026-01-01T00:00:00Z')
    await history.writePoints(
      'cdrs',
      Array.from({ length: callCount }, (_, index) => callPoint(owner, { timeMs: startAt + index * hourMs })),
    )
    await close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs the program. Kills it as soon as `isDue` returns true. */
  const run = async (args: string[], isDue: () => boolean = () => false) => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir() }
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    const timer = setInterval(() => isDue() && child.kill('SIGKILL'), 2)
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (...result) => resolve(result)),
    )
    clearInterval(timer)
    return { code, signal, output }
  }

  it('continues after it was killed, and confirms that the target has all records', async () => {
    const args = ['--from', fileOf('source'), '--to', fileOf('target')]
    const hasState = () => existsSync(dataDir()) && readdirSync(dataDir()).some((name) => name.endsWith('.json'))
    expect(await run(args, hasState)).toMatchObject({ signal: 'SIGKILL' })
    const { code, output } = await run(args)
    expect(output).toContain('Continuing the move')
    expect(output).toContain('3,000 calls compared, 0 missing or different.')
    expect(output).toContain('The target has all records of the source.')
    expect(code).toBe(0)
    expect(hasState()).toBe(false)
    const { history, close } = await openHistory('target')
    expect((await history.listCalls(owner, { page: 1, count: 1 })).total).toBe(callCount)
    await close()
  }, 60_000)

  it('explains wrong arguments and missing stores', async () => {
    const runFrom = (from: string, to: string) => run(['--from', from, '--to', to])
    expect(await run([])).toMatchObject({
      code: 1,
      output: expect.stringContaining('Usage: npm run move-calls') as string,
    })
    expect(await runFrom(fileOf('missing'), 'clickhouse')).toEqual({
      code: 1,
      signal: null,
      output: `The database ${fileOf('missing')} does not exist.\n`,
    })
  }, 60_000)
})
