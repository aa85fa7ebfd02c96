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
  const run = async (args: string[], isDue: () => boolean = () => false, settings: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir(), ...settings }
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

  it('prints its usage', async () => {
    const help = await run(['--help'])
    expect(help).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage: npm run move-calls/) as string })
    expect(await run(['--bad'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Unknown option '--bad'.*\nUsage: npm run move-calls/) as string,
    })
  }, 60_000)

  it('reports an empty source, and a target that does not respond although nothing is to be copied', async () => {
    await (await openHistory('empty')).close()
    expect(await run(['--from', fileOf('empty'), '--to', fileOf('target-of-empty')])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/\nThe source has no calls\. If you expected some, check --from\.\n$/) as string,
    })
    const unreachable = await run(['--from', fileOf('empty'), '--to', 'clickhouse'], undefined, {
      CLICKHOUSE_URL: 'http://user:hidden@127.0.0.1:1/trunkline',
    })
    expect(unreachable).toMatchObject({
      code: 1,
      output:
        'The target clickhouse cannot be used: The call history database (ClickHouse) does not respond. Try again later. ' +
        'Check CLICKHOUSE_URL, and that the store is available.\n',
    })
    expect(await run(['--from', fileOf('empty'), '--to', 'mysql://root:hidden@127.0.0.1:1/x'])).toMatchObject({
      code: 1,
      output:
        'The target mysql://root:***@127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1. ' +
        'Check its URL or path, and that the store is available.\n',
    })
  }, 60_000)
})
