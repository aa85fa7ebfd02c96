import type { Weight } from '../scripts/launch/page-weight'
import type { Measured } from './http'

interface Results {
  machine: string
  date: string
  results: Record<string, Measured[]>
  weights: readonly Weight[]
  lists: TimedList[]
  large: Record<string, Deed[]>
  calls: Record<string, Calls>
}

/** The latency of a page of calls in milliseconds, with the limit for its median. */
export interface TimedPage {
  name: string
  p50: number
  p99: number
  target: number
}

/** The ingest throughput of one kind of data. `target`: the minimum, if there is one. */
export interface Flow {
  name: string
  perSecond: number
  target?: number
}

/** The measurements with many calls. */
export interface Calls {
  pages: TimedPage[]
  flows: Flow[]
}

/** The duration of a bulk operation, with its limit. */
export interface Deed {
  name: string
  seconds: number
  target: number
}

/** Milliseconds until a list is usable, with few and with many records. */
export interface TimedList {
  name: string
  few: { rows: number; time: number }
  many: { rows: number; time: number }
}

const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
const kib = (bytes: number) => (bytes / 1024).toFixed(1)

const requestRows = (results: Record<string, Measured[]>) =>
  Object.entries(results).flatMap(([engine, lines]) =>
    lines.map(
      ({ name, concurrency, perSecond, p50, p99 }) =>
        `| ${engine} | ${name} | ${concurrency} | ${Math.round(perSecond)} | ${ms(p50)} | ${ms(p99)} |`,
    ),
  )

const seconds = (value: number) => value.toFixed(value < 1 ? 2 : 1)

const deedRows = (large: Record<string, Deed[]>) =>
  Object.entries(large).flatMap(([engine, deeds]) =>
    deeds.map((deed) => `| ${engine} | ${deed.name} | ${seconds(deed.seconds)} | ${deed.target} |`),
  )

const pageRows = (calls: Record<string, Calls>) =>
  Object.entries(calls).flatMap(([engine, { pages }]) =>
    pages.map(({ name, p50, p99, target }) => `| ${engine} | ${name} | ${ms(p50)} | ${ms(p99)} | ${target} |`),
  )

const flowRows = (calls: Record<string, Calls>) =>
  Object.entries(calls).flatMap(([engine, { flows }]) =>
    flows.map(({ name, perSecond, target }) => `| ${engine} | ${name} | ${Math.round(perSecond)} | ${target ?? '–'} |`),
  )

/** The limit of the ratio between a list with many records and the same list with few. */
const mostRatio = 1.3

const ratioOf = ({ few, many }: TimedList) => many.time / few.time

/** Returns a line for each measurement that missed its target. */
export const missed = ({ large, calls, lists }: Pick<Results, 'large' | 'calls' | 'lists'>): string[] => [
  ...Object.entries(large).flatMap(([engine, deeds]) =>
    deeds
      .filter((deed) => deed.seconds > deed.target)
      .map((deed) => `Missed on ${engine}: ${deed.name} took ${seconds(deed.seconds)} s, at most ${deed.target} s`),
  ),
  ...Object.entries(calls).flatMap(([engine, { pages, flows }]) => [
    ...pages
      .filter(({ p50, target }) => p50 > target)
      .map(({ name, p50, target }) => `Missed on ${engine}: calls, ${name}: p50 ${ms(p50)} ms, at most ${target} ms`),
    ...flows
      .filter(({ perSecond, target = 0 }) => perSecond < target)
      .map(
        ({ name, perSecond, target }) =>
          `Missed on ${engine}: ${Math.round(perSecond)} ${name} a second, at least ${target ?? 0}`,
      ),
  ]),
  ...lists
    .filter((list) => ratioOf(list) > mostRatio)
    .map(
      (list) =>
        `Missed: the list of ${list.name} takes ${ratioOf(list).toFixed(2)} times as long with ${list.many.rows} rows as with ${list.few.rows}, at most ${mostRatio}`,
    ),
]

/** Formats the results and their conditions as a page of docs/. */
export const report = ({ machine, date, results, weights, lists, large, calls }: Results): string =>
  [
    '# Performance',
    '',
    'Made by `npm run bench -- --save`; run it on your own machine, these figures are one run on one machine.',
    `Measured on ${date}: ${machine}. Server, database, browser and the measuring program share that machine.`,
    '',
    '## Requests',
    '',
    'One process, warm, over kept connections. With 8 at a time a latency is that of the whole group of eight.',
    '',
    '| database | request | at a time | requests/s | p50 ms | p99 ms |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...requestRows(results),
    '',
    '## Large changes',
    '',
    'Over the API, in one call each, once; what is said to be painted, in Chromium, median of fifteen.',
    '',
    '| database | change | s | at most |',
    '| --- | --- | ---: | ---: |',
    ...deedRows(large),
    '',
    '## Calls',
    '',
    'Pages of 25 among a million calls of ninety days, each with its total.',
    '',
    '| database | page | p50 ms | p99 ms | p50 at most |',
    '| --- | --- | ---: | ---: | ---: |',
    ...pageRows(calls),
    '',
    'Taken in beside them: acknowledged, or, for captures, to be had again. One a request there are no more of them than of',
    'other requests in this machine.',
    '',
    '| database | what | a second | at least |',
    '| --- | --- | ---: | ---: |',
    ...flowRows(calls),
    '',
    '## Bytes',
    '',
    'Over the wire as served: document, scripts, styles and data, compressed. Fonts are not counted.',
    '',
    '| loaded | KiB | requests |',
    '| --- | ---: | ---: |',
    ...weights.map(({ page, bytes, requests }) => `| ${page} | ${kib(bytes)} | ${requests} |`),
    '',
    '## Time to a usable list',
    '',
    `From navigation to rows on screen in Chromium, median of nine visits to each in turn. A ratio is ${mostRatio} at most.`,
    '',
    '| list | rows | ms | rows | ms | ratio |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lists.map(
      (list) =>
        `| ${list.name} | ${list.few.rows} | ${Math.round(list.few.time)} | ${list.many.rows} | ${Math.round(list.many.time)} | ${ratioOf(list).toFixed(2)} |`,
    ),
    '',
  ].join('\n')
