import type { Weight } from './browser'
import type { Measured } from './http'

interface Results {
  machine: string
  date: string
  results: Record<string, Measured[]>
  weights: Weight[]
  lists: TimedList[]
}

/** Milliseconds to a usable list with few and with many records. */
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

/** The last results with their conditions, as the page that is kept in docs/. */
export const report = ({ machine, date, results, weights, lists }: Results): string =>
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
    'From navigation to rows on screen in Chromium, median of nine visits.',
    '',
    '| list | rows | ms | rows | ms | ratio |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lists.map(
      ({ name, few, many }) =>
        `| ${name} | ${few.rows} | ${Math.round(few.time)} | ${many.rows} | ${Math.round(many.time)} | ${(many.time / few.time).toFixed(2)} |`,
    ),
    '',
  ].join('\n')
