import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import { openDatabase } from '../server/src/db/database'
import { startServer } from '../e2e/support/server'
import { openBrowser, timeList, weighPages, type Weight } from './browser'
import { fill, type Size } from './fill'
import { ask, measure, type Measured } from './http'
import { report, type TimedList } from './report'

const firstPassword = 'First-password-1'
const password = 'Bench-password-1'
const many: Size = { accounts: 5000, applications: 20_000, users: 2000, numbers: 100_000 }
const few: Size = { accounts: 50, applications: 50, users: 50, numbers: 100 }
/** The lists that are timed in a browser, with the address of each. */
const pages: Record<keyof Size, string> = {
  accounts: 'accounts',
  applications: 'applications',
  users: 'users',
  numbers: 'phone-numbers',
}
const sizes = Object.keys(pages) as (keyof Size)[]
const milliseconds = Number(process.env.BENCH_MS ?? 3000)

const settings = (url: string) => ({
  DATABASE_URL: url,
  INITIAL_ADMIN_PASSWORD: firstPassword,
  DISABLE_RATE_LIMITS: 'true',
  LOG_LEVEL: 'warn',
})

const signIn = async (base: string, secret: string): Promise<{ token: string; user_sid: string }> =>
  JSON.parse(await ask(base, { method: 'POST', path: '/v1/login', body: { username: 'admin', password: secret } })) as {
    token: string
    user_sid: string
  }

/** Starts a server on a filled database, hands it over, and removes both. */
const withServer = async <T>(url: string, size: Size, run: (base: string, token: string) => Promise<T>): Promise<T> => {
  await fill(url, size)
  const server = await startServer(settings(url))
  try {
    const first = await signIn(server.url, firstPassword)
    // The forced change, after which a sign-in leads to the first list.
    const change = { old_password: firstPassword, new_password: password }
    await ask(server.url, { method: 'PUT', path: `/v1/Users/${first.user_sid}`, token: first.token, body: change })
    return await run(server.url, (await signIn(server.url, password)).token)
  } finally {
    await server.dispose()
  }
}

const requests = (base: string, token: string): Promise<Measured[]> => {
  const provider = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}`
  const numbers = (page: number) =>
    `/v1/PhoneNumbers?service_provider_sid=${DEFAULT_SERVICE_PROVIDER}&page=${page}&page_size=25`
  let created = 0
  return measure(
    {
      'sign in': () => ask(base, { method: 'POST', path: '/v1/login', body: { username: 'admin', password } }),
      'Users/me': () => ask(base, { path: '/v1/Users/me', token }),
      '1,000 of 5,000 accounts': () => ask(base, { path: `${provider}/Accounts?page=1&page_size=1000`, token }),
      'a page of 25 among 5,000 accounts': () => ask(base, { path: `${provider}/Accounts?page=1&page_size=25`, token }),
      'a page of 25 among 20,000 applications': () =>
        ask(base, { path: `${provider}/Applications?page=1&page_size=25`, token }),
      'a page of 25 among 2,000 users': () => ask(base, { path: '/v1/Users?page=1&page_size=25', token }),
      'first page of 25 among 100,000 numbers': () => ask(base, { path: numbers(1), token }),
      'a page of 25 from the middle of 100,000 numbers': () => ask(base, { path: numbers(2000), token }),
      'one write (a new carrier)': () =>
        ask(base, { method: 'POST', path: '/v1/VoipCarriers', token, body: { name: `Bench ${created++}` } }),
    },
    milliseconds,
  )
}

const onSqlite = async <T>(size: Size, run: (base: string, token: string) => Promise<T>) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  try {
    return await withServer(join(folder, 'bench.sqlite'), size, run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onMariaDb = async <T>(server: string, size: Size, run: (base: string, token: string) => Promise<T>) => {
  const name = `trunkline_bench_${randomBytes(4).toString('hex')}`
  const root = openDatabase(new URL('/information_schema', server).href)
  try {
    await sql.raw(`create database ${name}`).execute(root.db)
    return await withServer(new URL(`/${name}`, server).href, size, run)
  } finally {
    await sql.raw(`drop database if exists ${name}`).execute(root.db)
    await root.close()
  }
}

type Times = Record<keyof Size, number>

const main = async () => {
  const server = process.env.BENCH_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
  const browser = await openBrowser()
  const results: Record<string, Measured[]> = {}
  let weights: Weight[] = []
  const timed = async (base: string, token: string): Promise<Times> => {
    const times: Partial<Times> = {}
    for (const name of sizes) times[name] = await timeList(browser, { base, token }, pages[name])
    return times as Times
  }
  let lists: TimedList[] = []
  try {
    console.log('SQLite, many records…')
    const long = await onSqlite(many, async (base, token) => {
      results.SQLite = await requests(base, token)
      weights = await weighPages(browser, base, 'admin', password)
      return timed(base, token)
    })
    console.log('SQLite, few records…')
    const short = await onSqlite(few, timed)
    lists = sizes.map((name) => ({
      name,
      few: { rows: few[name], time: short[name] },
      many: { rows: many[name], time: long[name] },
    }))
    console.log('MariaDB, many records…')
    results.MariaDB = await onMariaDb(server, many, requests)
  } finally {
    await browser.close()
  }
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const text = report({ machine, date: new Date().toISOString().slice(0, 10), results, weights, lists })
  console.log(text)
  if (process.argv.includes('--save')) writeFileSync(new URL('../docs/performance.md', import.meta.url), text)
}

await main()
