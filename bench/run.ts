import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Browser, Page } from '@playwright/test'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'
import { measureAllScreens, measurePageWeights, type PageWeight } from '../scripts/launch/page-weight'
import { measureBackground } from './background'
import { openBrowser, measureList } from './browser'
import { measureCallStores } from './call-stores'
import { measureCallPages, measureIngest } from './calls'
import { measureBulkOperations, measureReorderedRoutes } from './bulk-operations'
import { parseParts, type Part } from './parts'
import { measureInteractions, type InteractionMeasurement } from './interactions'
import type { RecordCounts } from './seed-records'
import { administrator, completeFirstSignIn, runOnBuilds, runOnMariaDb, runOnSqlite, type ServerTask } from './servers'
import { measureCallScreens } from './call-screens'
import { measureProcess } from './process'
import { measureSmoothness, type SmoothnessMeasurement } from './smoothness'
import { measureRequests, providerPath, sendRequest, type RequestMeasurement } from './http'
import {
  findMissedTargets,
  formatReport,
  type CallMeasurements,
  type OperationMeasurement,
  type ListMeasurement,
} from './report'

const manyRecords: RecordCounts = { accounts: 5000, applications: 20_000, users: 2000, carriers: 500, numbers: 100_000 }
const fewRecords: RecordCounts = { accounts: 50, applications: 50, users: 50, carriers: 20, numbers: 100 }
/** The lists that are timed in a browser, with their paths. */
const listPaths: Record<keyof RecordCounts, string> = {
  accounts: 'accounts',
  applications: 'applications',
  users: 'users',
  carriers: 'carriers',
  numbers: 'phone-numbers',
}
const listNames = Object.keys(listPaths) as (keyof RecordCounts)[]
/** The duration of each measurement of requests. */
const durationMs = Number(process.env.BENCH_MS ?? 3000)

/** BENCH_ONLY selects parts of the benchmark, as in `BENCH_ONLY=bytes,bulk`. */
const selectedParts = parseParts(process.env.BENCH_ONLY)
const isSelected = (...parts: Part[]) => parts.some((part) => selectedParts.includes(part))

const manyCalls = Number(process.env.BENCH_CALLS ?? 1_000_000)

const measureApiRequests = (base: string, token: string): Promise<RequestMeasurement[]> => {
  const numbersPath = (page: number) =>
    `/v1/PhoneNumbers?service_provider_sid=${defaultServiceProviderSid}&page=${page}&page_size=25`
  const applicationsPath = (page: number) => `${providerPath}/Applications?page=${page}&page_size=25`
  let created = 0
  // Each search has a new text, as of a user who types: the server has no cached keys for it.
  let searched = 0
  const nextText = () => String(1000 + (searched++ % 9000))
  return measureRequests(
    {
      'sign in': () =>
        sendRequest(base, {
          method: 'POST',
          path: '/v1/login',
          body: { username: administrator.name, password: administrator.password },
        }),
      'Users/me': () => sendRequest(base, { path: '/v1/Users/me', token }),
      '1,000 of 5,000 accounts': () =>
        sendRequest(base, { path: `${providerPath}/Accounts?page=1&page_size=1000`, token }),
      'a page of 25 among 5,000 accounts': () =>
        sendRequest(base, { path: `${providerPath}/Accounts?page=1&page_size=25`, token }),
      'a page of 25 among 20,000 applications': () => sendRequest(base, { path: applicationsPath(1), token }),
      'page 400 of 20,000 applications by account': () =>
        sendRequest(base, { path: `${applicationsPath(400)}&sort=-account_name`, token }),
      'a text search among 20,000 applications': () =>
        sendRequest(base, { path: `${applicationsPath(1)}&name=${nextText()}`, token }),
      'a page of 25 among 2,000 users': () => sendRequest(base, { path: '/v1/Users?page=1&page_size=25', token }),
      'first page of 25 among 100,000 numbers': () => sendRequest(base, { path: numbersPath(1), token }),
      'a page of 25 from the middle of 100,000 numbers': () => sendRequest(base, { path: numbersPath(2000), token }),
      'a text search among 100,000 numbers': () =>
        sendRequest(base, { path: `${numbersPath(1)}&filter=${nextText()}`, token }),
      'a page of 25 among 500 carriers': () =>
        sendRequest(base, { path: `${providerPath}/VoipCarriers?page=1&page_size=25`, token }),
      'one write (a new carrier)': () =>
        sendRequest(base, { method: 'POST', path: '/v1/VoipCarriers', token, body: { name: `Bench ${created++}` } }),
    },
    durationMs,
  )
}

/** Prints the latency of other requests during background work; these figures have no limits. */
const printBackground = async () => {
  for (const line of await measureBackground(fewRecords, manyCalls, completeFirstSignIn)) console.log(line)
}

/** Measures each weight with an empty cache. */
const measureWeights = async (browser: Browser, base: string): Promise<PageWeight[]> => {
  const withPage = async <T>(measure: (page: Page) => Promise<T>) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    return measure(page).finally(() => page.close())
  }
  return [
    ...(await withPage((page) => measurePageWeights(page, base, administrator))),
    await withPage((page) => measureAllScreens(page, base, administrator)),
  ]
}

/** Runs the selected parts with targets and prints their report. */
const measureTargets = async () => {
  // an empty value skips MariaDB
  const mysqlUrl = process.env.BENCH_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306'
  const serverProcess = isSelected('process') ? await measureProcess() : []
  const browser = await openBrowser()
  const requests: Record<string, RequestMeasurement[]> = {}
  let weights: readonly PageWeight[] = []
  let interactions: InteractionMeasurement[] = []
  const smoothness: SmoothnessMeasurement[] = []
  const lists: ListMeasurement[] = []
  const measureLists = (base: string, token: string) =>
    runOnSqlite(fewRecords, async (fewBase, fewToken) => {
      const servers = { few: { base: fewBase, token: fewToken }, many: { base, token } }
      for (const name of listNames) {
        const times = await measureList(browser, servers, listPaths[name])
        lists.push({
          name,
          few: { rows: fewRecords[name], timeMs: times.few },
          many: { rows: manyRecords[name], timeMs: times.many },
        })
      }
    })
  const operations: Record<string, OperationMeasurement[]> = {}
  const calls: Record<string, CallMeasurements> = {}
  const measureCalls: ServerTask<CallMeasurements> = async (base, token, hepPort) => ({
    pages: await measureCallPages(base, token, manyCalls, durationMs),
    ingest: await measureIngest(base, token, hepPort),
  })
  try {
    if (isSelected('requests', 'bytes', 'interactions', 'lists', 'bulk')) {
      console.log('SQLite, many records…')
      await runOnSqlite(manyRecords, async (base, token) => {
        if (isSelected('requests')) requests.SQLite = await measureApiRequests(base, token)
        if (isSelected('bytes')) weights = await measureWeights(browser, base)
        if (isSelected('interactions')) smoothness.push(...(await measureSmoothness(browser, { base, token })))
        if (isSelected('lists')) await measureLists(base, token)
        if (isSelected('bulk'))
          operations.SQLite = [
            ...(await measureBulkOperations(base, token)),
            ...(await measureReorderedRoutes(browser, { base, token })),
          ]
      })
    }
    if (isSelected('interactions')) {
      console.log('Sign-in, lists and filters…')
      interactions = await runOnBuilds(manyRecords, (builds) => measureInteractions(browser, builds))
    }
    if (mysqlUrl && isSelected('requests', 'bulk')) {
      console.log('MariaDB, many records…')
      await runOnMariaDb(mysqlUrl, manyRecords, async (base, token) => {
        if (isSelected('requests')) requests.MariaDB = await measureApiRequests(base, token)
        if (isSelected('bulk')) operations.MariaDB = await measureBulkOperations(base, token)
      })
    }
    if (isSelected('calls')) {
      console.log('SQLite, very many calls…')
      calls.SQLite = await runOnSqlite(
        fewRecords,
        async (base, token, hepPort) => {
          const callMeasurements = await measureCalls(base, token, hepPort)
          const screens = await measureCallScreens(browser, { base, token }, hepPort)
          operations.SQLite = [...(operations.SQLite ?? []), ...screens.operations]
          smoothness.push(...screens.smoothness)
          return callMeasurements
        },
        manyCalls,
      )
      if (mysqlUrl) {
        console.log('MariaDB, very many calls…')
        calls.MariaDB = await runOnMariaDb(mysqlUrl, fewRecords, measureCalls, manyCalls)
      }
    }
  } finally {
    await browser.close()
  }
  printReport({ serverProcess, requests, weights, interactions, smoothness, lists, operations, calls })
}

/** Prints the report and saves it if requested. The exit code is 1 if a target was missed. */
const printReport = (measurements: Omit<Parameters<typeof formatReport>[0], 'machine' | 'date'>) => {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const text = formatReport({ machine, date: new Date().toISOString().slice(0, 10), ...measurements })
  console.log(text)
  // only a run of the standard benchmark replaces the page
  const isStandard = !process.env.BENCH_ONLY && !process.env.BENCH_CALLS && !process.env.BENCH_MS
  if (process.argv.includes('--save') && isStandard)
    writeFileSync(new URL('../docs/performance.md', import.meta.url), text)
  for (const line of findMissedTargets(measurements)) {
    console.error(line)
    process.exitCode = 1
  }
}

if (isSelected('background')) await printBackground()
if (isSelected('call-stores')) for await (const line of measureCallStores(manyCalls)) console.log(line)
if (selectedParts.some((part) => part !== 'background' && part !== 'call-stores')) await measureTargets()
