import { expect, it } from 'vitest'
import { findMissedTargets, type ListMeasurement } from './report'

const list = (name: string, fewRowsMs: number, manyRowsMs: number): ListMeasurement => ({
  name,
  few: { rows: 50, timeMs: fewRowsMs },
  many: { rows: 5000, timeMs: manyRowsMs },
})

it('reports every measurement that misses its target', () => {
  const idleMemory = { name: 'memory when idle', unit: 'MiB' as const, value: 111, baselineValue: 140, limit: 110 }
  const serverProcess = [idleMemory, { ...idleMemory, value: 110 }]
  const operations = { SQLite: [{ name: 'an import', seconds: 3, targetSeconds: 2 }] }
  const page = { name: 'the first page', p50Ms: 20, p99Ms: 30, targetMs: 10 }
  const calls = { MariaDB: { pages: [page], ingest: [{ name: 'spans', perSecond: 5, targetPerSecond: 10 }] } }
  const lists = [list('users', 400, 530), list('accounts', 400, 519), list('carriers', 400, 300)]
  const interaction = { name: 'click to rows', ms: 120, baselineMs: undefined, limitMs: 110 }
  const interactions = [interaction, { ...interaction, ms: 110 }, { ...interaction, limitMs: null }]
  const smoothness = [
    { name: 'a key in a form', p95Ms: 17, limitMs: 16 },
    { name: 'a key in a filter', p95Ms: 16, limitMs: 16 },
  ]
  const weights = [
    { page: 'sign-in', bytes: 111 * 1024, requests: 5 },
    { page: 'code of all screens', bytes: 419 * 1024, requests: 50 },
  ]
  expect(findMissedTargets({ serverProcess, operations, calls, lists, interactions, smoothness, weights })).toEqual([
    'Missed: memory when idle: 111 MiB, at most 110 MiB',
    'Missed on SQLite: an import took 3.0 s, at most 2 s',
    'Missed on MariaDB: calls, the first page: p50 20.0 ms, at most 10 ms',
    'Missed on MariaDB: 5 spans per second, at least 10',
    'Missed: the list of users takes 1.32 times as long with 5000 rows as with 50, at most 1.3',
    'Missed: sign-in: 111.0 KiB, at most 110 KiB',
    'Missed: click to rows: 120 ms, at most 110 ms',
    'Missed: a key in a form: p95 17.0 ms, at most 16 ms',
  ])
  expect(
    findMissedTargets({
      serverProcess: [],
      operations: {},
      calls: {},
      lists: lists.slice(1),
      interactions: [],
      smoothness: [],
      weights: [],
    }),
  ).toEqual([])
})
