import type { PageWeight } from '../scripts/launch/page-weight'
import type { RequestMeasurement } from './http'
import type { InteractionMeasurement } from './interactions'
import type { ProcessMeasurement } from './process'
import type { SmoothnessMeasurement } from './smoothness'

interface Results {
  machine: string
  date: string
  serverProcess: ProcessMeasurement[]
  requests: Record<string, RequestMeasurement[]>
  weights: readonly PageWeight[]
  interactions: InteractionMeasurement[]
  smoothness: SmoothnessMeasurement[]
  lists: ListMeasurement[]
  operations: Record<string, OperationMeasurement[]>
  calls: Record<string, CallMeasurements>
}

/** The latency of a page of calls, with the target for its median. */
export interface PageMeasurement {
  name: string
  p50Ms: number
  p99Ms: number
  targetMs: number
}

/** The ingest throughput of one kind of data, with the minimum, if there is one. */
export interface IngestMeasurement {
  name: string
  perSecond: number
  targetPerSecond?: number
}

/** The measurements with many calls. */
export interface CallMeasurements {
  pages: PageMeasurement[]
  ingest: IngestMeasurement[]
}

/** The duration of a bulk operation, with its target. */
export interface OperationMeasurement {
  name: string
  seconds: number
  targetSeconds: number
}

/** Milliseconds until a list is usable, with few and with many records. */
export interface ListMeasurement {
  name: string
  few: { rows: number; timeMs: number }
  many: { rows: number; timeMs: number }
}

const formatMs = (ms: number) => {
  if (ms < 10) return ms.toFixed(2)
  return ms.toFixed(ms < 100 ? 1 : 0)
}
const formatKib = (bytes: number) => (bytes / 1024).toFixed(1)

const requestRows = (results: Record<string, RequestMeasurement[]>) =>
  Object.entries(results).flatMap(([engine, lines]) =>
    lines.map(
      ({ name, concurrency, perSecond, p50Ms, p99Ms }) =>
        `| ${engine} | ${name} | ${concurrency} | ${Math.round(perSecond)} | ${formatMs(p50Ms)} | ${formatMs(p99Ms)} |`,
    ),
  )

const formatSeconds = (seconds: number) => seconds.toFixed(seconds < 1 ? 2 : 1)

/** A target, with a mark if it was missed. */
const formatTarget = (target: number, isMissed: boolean) => `${target}${isMissed ? ' (missed)' : ''}`

const operationRows = (operations: Record<string, OperationMeasurement[]>) =>
  Object.entries(operations).flatMap(([engine, measurements]) =>
    measurements.map(
      ({ name, seconds, targetSeconds }) =>
        `| ${engine} | ${name} | ${formatSeconds(seconds)} | ${formatTarget(targetSeconds, seconds > targetSeconds)} |`,
    ),
  )

const pageRows = (calls: Record<string, CallMeasurements>) =>
  Object.entries(calls).flatMap(([engine, { pages }]) =>
    pages.map(
      ({ name, p50Ms, p99Ms, targetMs }) =>
        `| ${engine} | ${name} | ${formatMs(p50Ms)} | ${formatMs(p99Ms)} | ${formatTarget(targetMs, p50Ms > targetMs)} |`,
    ),
  )

const ingestRows = (calls: Record<string, CallMeasurements>) =>
  Object.entries(calls).flatMap(([engine, { ingest }]) =>
    ingest.map(
      ({ name, perSecond, targetPerSecond }) =>
        `| ${engine} | ${name} | ${Math.round(perSecond)} | ${targetPerSecond === undefined ? '–' : formatTarget(targetPerSecond, perSecond < targetPerSecond)} |`,
    ),
  )

const interactionRows = (interactions: InteractionMeasurement[]) =>
  interactions.map(({ name, ms, baselineMs, limitMs }) => {
    const target = limitMs === null ? '–' : formatTarget(limitMs, ms > limitMs)
    const comparison = baselineMs === undefined ? '– | –' : `${formatMs(baselineMs)} | ${(ms / baselineMs).toFixed(2)}`
    return `| ${name} | ${formatMs(ms)} | ${comparison} | ${target} |`
  })

const processRows = (measurements: ProcessMeasurement[]) =>
  measurements.map(({ name, unit, value, baselineValue, limit }) => {
    const comparison =
      baselineValue === undefined ? '– | –' : `${formatMs(baselineValue)} | ${(value / baselineValue).toFixed(2)}`
    return `| ${name} | ${unit} | ${formatMs(value)} | ${comparison} | ${formatTarget(limit, value > limit)} |`
  })

/** The maximum weight of each `PageWeight`. */
const maxKib: Record<string, number> = { 'sign-in': 110, 'sign-in and first list': 150, 'code of all screens': 420 }

const isTooHeavy = ({ page, bytes }: PageWeight) => bytes / 1024 > (maxKib[page] ?? Infinity)

const weightRows = (weights: readonly PageWeight[]) =>
  weights.map((weight) => {
    const limitKib = maxKib[weight.page]
    const target = limitKib === undefined ? '–' : formatTarget(limitKib, isTooHeavy(weight))
    return `| ${weight.page} | ${formatKib(weight.bytes)} | ${target} | ${weight.requests} |`
  })

/** The maximum ratio between the time of a list with many records and that of the same list with few. */
const maxRatio = 1.3

const ratioOf = ({ few, many }: ListMeasurement) => many.timeMs / few.timeMs

/** Returns a line for each measurement that missed its target. */
export const findMissedTargets = ({
  serverProcess,
  operations,
  calls,
  lists,
  interactions,
  smoothness,
  weights,
}: Pick<
  Results,
  'serverProcess' | 'operations' | 'calls' | 'lists' | 'interactions' | 'smoothness' | 'weights'
>): string[] => [
  ...serverProcess
    .filter(({ value, limit }) => value > limit)
    .map(({ name, unit, value, limit }) => `Missed: ${name}: ${formatMs(value)} ${unit}, at most ${limit} ${unit}`),
  ...Object.entries(operations).flatMap(([engine, measurements]) =>
    measurements
      .filter((operation) => operation.seconds > operation.targetSeconds)
      .map(
        (operation) =>
          `Missed on ${engine}: ${operation.name} took ${formatSeconds(operation.seconds)} s, at most ${operation.targetSeconds} s`,
      ),
  ),
  ...Object.entries(calls).flatMap(([engine, { pages, ingest }]) => [
    ...pages
      .filter(({ p50Ms, targetMs }) => p50Ms > targetMs)
      .map(
        ({ name, p50Ms, targetMs }) =>
          `Missed on ${engine}: calls, ${name}: p50 ${formatMs(p50Ms)} ms, at most ${targetMs} ms`,
      ),
    ...ingest
      .filter(({ perSecond, targetPerSecond = 0 }) => perSecond < targetPerSecond)
      .map(
        ({ name, perSecond, targetPerSecond }) =>
          `Missed on ${engine}: ${Math.round(perSecond)} ${name} per second, at least ${targetPerSecond ?? 0}`,
      ),
  ]),
  ...lists
    .filter((list) => ratioOf(list) > maxRatio)
    .map(
      (list) =>
        `Missed: the list of ${list.name} takes ${ratioOf(list).toFixed(2)} times as long with ${list.many.rows} rows as with ${list.few.rows}, at most ${maxRatio}`,
    ),
  ...weights
    .filter(isTooHeavy)
    .map(({ page, bytes }) => `Missed: ${page}: ${formatKib(bytes)} KiB, at most ${maxKib[page] ?? 0} KiB`),
  ...interactions.flatMap(({ name, ms, limitMs }) =>
    limitMs === null || ms <= limitMs ? [] : [`Missed: ${name}: ${formatMs(ms)} ms, at most ${limitMs} ms`],
  ),
  ...smoothness
    .filter(({ p95Ms, limitMs }) => p95Ms > limitMs)
    .map(({ name, p95Ms, limitMs }) => `Missed: ${name}: p95 ${formatMs(p95Ms)} ms, at most ${limitMs} ms`),
]

const processSection = (serverProcess: ProcessMeasurement[]) => [
  '## Start and memory',
  '',
  'A server on SQLite with few records: the median of seven starts, and the resident memory of the process. With',
  'BENCH_BASELINE, another build is measured in turn.',
  '',
  '| figure | unit | value | other build | ratio | at most |',
  '| --- | --- | ---: | ---: | ---: | ---: |',
  ...processRows(serverProcess),
  '',
]

const weightsSection = (weights: readonly PageWeight[]) => [
  '## Bytes',
  '',
  'Compressed bytes of document, scripts, styles and data. Fonts are not counted.',
  '',
  '| loaded | KiB | at most | requests |',
  '| --- | ---: | ---: | ---: |',
  ...weightRows(weights),
  '',
]

const smoothnessSection = (smoothness: SmoothnessMeasurement[]) => [
  '## Typing and scrolling',
  '',
  'For each key: how long the page works on it (script, layout and paint). For scrolling, with a CPU four times slower:',
  'the time between two frames. Both are 95th percentiles; lists show 100 rows.',
  '',
  '| input | p95 ms | at most |',
  '| --- | ---: | ---: |',
  ...smoothness.map(
    ({ name, p95Ms, limitMs }) => `| ${name} | ${formatMs(p95Ms)} | ${formatTarget(limitMs, p95Ms > limitMs)} |`,
  ),
  '',
]

/** Formats the results and their conditions as a page of docs/. */
export const formatReport = ({
  machine,
  date,
  serverProcess,
  requests,
  weights,
  interactions,
  smoothness,
  lists,
  operations,
  calls,
}: Results): string =>
  [
    '# Performance',
    '',
    'Generated by `npm run bench -- --save`. These figures are from one run; run the benchmark on your own machine.',
    `Measured on ${date}: ${machine}. Server, database, browser and benchmark share that machine.`,
    'The columns "at most" and "at least" are targets, not guarantees; "(missed)" marks a target that this run missed.',
    '',
    ...processSection(serverProcess),
    '## Requests',
    '',
    'One warm process, over persistent connections. With a concurrency of 8, the latency is the time until all eight',
    'responses have arrived.',
    '',
    '| database | request | concurrency | requests/s | p50 ms | p99 ms |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...requestRows(requests),
    '',
    '## Bulk changes, large traces and captures',
    '',
    'Each change is one API request, measured once. Times to paint are medians of several runs in Chromium.',
    '',
    '| database | operation | s | at most |',
    '| --- | --- | ---: | ---: |',
    ...operationRows(operations),
    '',
    '## Calls',
    '',
    'Pages of 25 among a million calls and a million alerts of ninety days, each with its total.',
    '',
    '| database | page | p50 ms | p99 ms | p50 at most |',
    '| --- | --- | ---: | ---: | ---: |',
    ...pageRows(calls),
    '',
    'Ingest into the same database: call records and spans are counted once the server has acknowledged them, SIP',
    'messages once they can be read.',
    '',
    '| database | data | per second | at least |',
    '| --- | --- | ---: | ---: |',
    ...ingestRows(calls),
    '',
    ...weightsSection(weights),
    '## Time that users wait',
    '',
    'Milliseconds until the result is painted in Chromium: medians of several visits with an empty cache, with 100,000',
    'numbers and 20,000 applications. A slow line has 1.6 Mbit/s and a latency of 150 ms; a slow CPU is four times slower.',
    'With BENCH_BASELINE, another build is measured in turn.',
    '',
    '| interaction | ms | other build ms | ratio | at most |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...interactionRows(interactions),
    '',
    ...smoothnessSection(smoothness),
    '## Time to a usable list',
    '',
    'Milliseconds from navigation until the rows are on screen in Chromium: the median of nine visits each to a server',
    `with few records and to one with many, in turn. The target for the ratio is at most ${maxRatio}.`,
    '',
    '| list | rows | ms | rows | ms | ratio |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lists.map(
      (list) =>
        `| ${list.name} | ${list.few.rows} | ${Math.round(list.few.timeMs)} | ${list.many.rows} | ${Math.round(list.many.timeMs)} | ${ratioOf(list).toFixed(2)} |`,
    ),
    '',
  ].join('\n')
