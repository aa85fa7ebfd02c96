import { readFileSync } from 'node:fs'
import { sendRequest } from './http'

/** A server to compare, with the token of a user or an API key. */
export interface ComparedServer {
  base: string
  token: string
  /** The process to measure the CPU time of. */
  pid?: number | undefined
}

export interface CompareSettings {
  servers: readonly [ComparedServer, ComparedServer]
  /** The process of the database that both servers use. */
  databasePid?: number | undefined
  /** The duration of one run. */
  durationMs: number
  /** Runs of each request on each server. */
  runs: number
  concurrency: number
  /** The paths to request; if there are none, `chooseRequests` chooses them. */
  paths: readonly string[]
}

/** What one server did in all runs of one request. */
interface ServerMeasurement {
  perSecond: number
  p50Ms: number
  /** CPU time per request, of the server and of the database. */
  cpuMs: number | undefined
  databaseCpuMs: number | undefined
}

export interface ComparedRequest {
  name: string
  path: string
  /** The measurements, or why the request could not be compared. */
  result: readonly [ServerMeasurement, ServerMeasurement] | string
}

const splitWords = (value: string | undefined) => (value ?? '').split(/[\s,]+/).filter((word) => word !== '')

const parsePids = (value: string | undefined): (number | undefined)[] =>
  splitWords(value).map((word) => {
    if (!/^\d+$/.test(word)) throw new Error(`BENCH_PIDS contains '${word}', which is not the ID of a process`)
    return Number(word)
  })

/**
 * Reads the settings of a comparison: BENCH_COMPARE has two base URLs, BENCH_TOKENS a token for each, and BENCH_PIDS, which
 * is optional, the process of each and that of their database.
 */
export const parseCompareSettings = (env: Record<string, string | undefined>): CompareSettings => {
  const [baseA, baseB, ...otherBases] = splitWords(env.BENCH_COMPARE)
  if (!baseA || !baseB || otherBases.length > 0) throw new Error('BENCH_COMPARE must contain two base URLs')
  const [tokenA, tokenB, ...otherTokens] = splitWords(env.BENCH_TOKENS)
  if (!tokenA || !tokenB || otherTokens.length > 0)
    throw new Error('BENCH_TOKENS must contain two tokens, one for each server')
  const [pidA, pidB, databasePid] = parsePids(env.BENCH_PIDS)
  const withoutSlash = (base: string) => base.replace(/\/+$/, '')
  return {
    servers: [
      { base: withoutSlash(baseA), token: tokenA, pid: pidA },
      { base: withoutSlash(baseB), token: tokenB, pid: pidB },
    ],
    databasePid,
    durationMs: Number(env.BENCH_MS ?? 3000),
    runs: Number(env.BENCH_RUNS ?? 3),
    concurrency: Number(env.BENCH_CONCURRENCY ?? 8),
    paths: splitWords(env.BENCH_PATHS),
  }
}

const msPerTick = 10

/** The CPU time of a process since its start. Undefined without a process, and on systems without /proc. */
const readCpuMs = (pid: number | undefined): number | undefined => {
  if (pid === undefined) return undefined
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return undefined
  }
}

interface Run {
  latenciesMs: number[]
  elapsedMs: number
  cpuMs: number | undefined
  databaseCpuMs: number | undefined
}

const difference = (after: number | undefined, before: number | undefined) =>
  after === undefined || before === undefined ? undefined : after - before

/** Repeats a request on one server for some time. */
const runRequest = async (
  { base, token, pid }: ComparedServer,
  path: string,
  { durationMs, concurrency, databasePid }: CompareSettings,
): Promise<Run> => {
  const latenciesMs: number[] = []
  const cpuBefore = readCpuMs(pid)
  const databaseCpuBefore = readCpuMs(databasePid)
  const startedAt = performance.now()
  const repeat = async () => {
    do {
      const sentAt = performance.now()
      await sendRequest(base, { path, token })
      latenciesMs.push(performance.now() - sentAt)
    } while (performance.now() - startedAt < durationMs)
  }
  await Promise.all(Array.from({ length: concurrency }, repeat))
  return {
    latenciesMs,
    elapsedMs: performance.now() - startedAt,
    cpuMs: difference(readCpuMs(pid), cpuBefore),
    databaseCpuMs: difference(readCpuMs(databasePid), databaseCpuBefore),
  }
}

const sumOf = (values: readonly (number | undefined)[]): number | undefined => {
  let sum = 0
  for (const value of values) {
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}

const combineRuns = (runs: readonly Run[]): ServerMeasurement => {
  const latenciesMs = runs.flatMap((run) => run.latenciesMs).sort((a, b) => a - b)
  const perRequest = (cpuMs: number | undefined) => (cpuMs === undefined ? undefined : cpuMs / latenciesMs.length)
  return {
    perSecond: (latenciesMs.length * 1000) / (sumOf(runs.map(({ elapsedMs }) => elapsedMs)) ?? NaN),
    p50Ms: latenciesMs[Math.floor(latenciesMs.length / 2)] ?? NaN,
    cpuMs: perRequest(sumOf(runs.map(({ cpuMs }) => cpuMs))),
    databaseCpuMs: perRequest(sumOf(runs.map(({ databaseCpuMs }) => databaseCpuMs))),
  }
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 120)

/** Measures one request on both servers. The runs alternate, so that a change of the machine's speed affects both. */
const compareRequest = async (path: string, settings: CompareSettings): Promise<ComparedRequest['result']> => {
  const runs: [Run[], Run[]] = [[], []]
  try {
    for (const { base, token } of settings.servers) await sendRequest(base, { path, token })
    for (let run = 0; run < settings.runs; run += 1)
      for (const index of run % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        runs[index].push(await runRequest(settings.servers[index], path, settings))
  } catch (error) {
    return errorText(error)
  }
  return [combineRuns(runs[0]), combineRuns(runs[1])]
}

/** Measures the same requests on two servers. */
export const compareServers = async (
  requests: Record<string, string>,
  settings: CompareSettings,
): Promise<ComparedRequest[]> => {
  const compared: ComparedRequest[] = []
  for (const [name, path] of Object.entries(requests))
    compared.push({ name, path, result: await compareRequest(path, settings) })
  return compared
}

/** Requests of version 1 of the API that read what a large provider has. The first server supplies the SIDs. */
export const chooseRequests = async ({ servers, paths }: CompareSettings): Promise<Record<string, string>> => {
  if (paths.length > 0) return Object.fromEntries(paths.map((path) => [path, path]))
  const { base, token } = servers[0]
  const readRows = async (path: string) => {
    const body = JSON.parse(await sendRequest(base, { path, token })) as unknown
    return (Array.isArray(body) ? body : (body as { data: unknown[] }).data) as Record<string, string>[]
  }
  const [provider] = await readRows('/v1/ServiceProviders')
  if (!provider) throw new Error(`${base} has no service provider`)
  const [application] = await readRows('/v1/Applications?page=1&page_size=1')
  const providerSid = provider.service_provider_sid!
  return {
    'the signed-in user': '/v1/Users/me',
    'all accounts': '/v1/Accounts',
    ...(application ? { 'one application': `/v1/Applications/${application.application_sid}` } : {}),
    'the first page of applications': '/v1/Applications?page=1&page_size=25',
    'page 100 of applications': '/v1/Applications?page=100&page_size=25',
    'applications with a text in their name': '/v1/Applications?page=1&page_size=25&name=77',
    'the first page of phone numbers': '/v1/PhoneNumbers?page=1&page_size=25',
    'page 1,000 of phone numbers': '/v1/PhoneNumbers?page=1000&page_size=25',
    'phone numbers of one provider': `/v1/PhoneNumbers?page=1&page_size=25&service_provider_sid=${providerSid}`,
    'phone numbers that contain a text': '/v1/PhoneNumbers?page=1&page_size=25&filter=7777',
    'the first page of carriers': `/v1/ServiceProviders/${providerSid}/VoipCarriers?page=1&page_size=25`,
  }
}

const formatMs = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))

const formatCpu = ({ cpuMs, databaseCpuMs }: ServerMeasurement) =>
  [cpuMs, databaseCpuMs].map((ms) => (ms === undefined ? '–' : ms.toFixed(2))).join(' + ')

/** Formats a comparison as a table. A ratio above 1 means that the first server is faster. */
export const formatComparison = (compared: readonly ComparedRequest[]): string =>
  [
    '| request | A requests/s | B requests/s | A / B | A p50 ms | B p50 ms | A CPU ms + database | B CPU ms + database |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...compared.map(({ name, result }) => {
      if (typeof result === 'string') return `| ${name} | not compared: ${result} | | | | | | |`
      const [a, b] = result
      const ratio = (a.perSecond / b.perSecond).toFixed(2)
      return `| ${name} | ${a.perSecond.toFixed(0)} | ${b.perSecond.toFixed(0)} | ${ratio} | ${formatMs(a.p50Ms)} | ${formatMs(b.p50Ms)} | ${formatCpu(a)} | ${formatCpu(b)} |`
    }),
  ].join('\n')
