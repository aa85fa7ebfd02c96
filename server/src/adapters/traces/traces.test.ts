import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listWireSpans, type ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { startJaeger } from '../../../test/doubles/jaeger'
import { databaseEngines, createSeededDatabase } from '../../../test/databases'
import { filterVisibleTrace, type Traces, type TraceStore } from '../../ports/traces'
import { StorageFullError, UnavailableError } from '../../ports/service-errors'
import { createJaegerTraces } from './jaeger'
import { createSqlTraceStore } from './sql'

const platformWriter = { service_provider_sid: null, account_sid: null }
const dayMs = 24 * 60 * 60 * 1000

/** Builds a resource with one span, optionally of an account. Its name contains characters that are hard to store. */
const buildResource = (spanId: string, account?: string, parentSpanId = ''): ResourceSpans => ({
  resource: { attributes: [{ key: 'service.name', value: { stringValue: 'voice' } }] },
  instrumentationLibrarySpans: [
    {
      instrumentationLibrary: { name: 'voice' },
      spans: [
        {
          traceId: 'dHJhY2U=',
          spanId,
          parentSpanId,
          name: `“${spanId}”\0`,
          kind: 'SPAN_KIND_INTERNAL',
          startTimeUnixNano: '1700000000000000000',
          endTimeUnixNano: '1700000000000000001',
          attributes: account ? [{ key: 'accountSid', value: { stringValue: account } }] : [],
        },
      ],
    },
  ],
})

interface TraceSetup {
  traces: Traces
  /** Adds spans in the format of this store. */
  addSpans: (traceId: string, parts: ResourceSpans[]) => Promise<void>
  stop: () => Promise<void>
}

const startSqlTraces = async (databaseEngine: (typeof databaseEngines)[number]): Promise<TraceSetup> => {
  const database = await createSeededDatabase(databaseEngine)
  const store = createSqlTraceStore(database, 0)
  return {
    traces: store,
    addSpans: (trace_id, parts) =>
      store.addParts(parts.map((resource) => ({ trace_id, writer: platformWriter, spans: [resource] }))),
    stop: () => database.close(),
  }
}

const startJaegerTraces = async (): Promise<TraceSetup> => {
  const jaeger = await startJaeger()
  return {
    traces: createJaegerTraces(jaeger.url),
    addSpans: (traceId, parts) => Promise.resolve(void jaeger.storeSpans(traceId, parts)),
    stop: () => jaeger.stop(),
  }
}

const setups: [string, () => Promise<TraceSetup>][] = [
  ...databaseEngines.map((databaseEngine): [string, () => Promise<TraceSetup>] => [
    databaseEngine,
    () => startSqlTraces(databaseEngine),
  ]),
  ['jaeger', startJaegerTraces],
]

describe.each(setups)('traces in %s', (_, startTraces) => {
  let setup: TraceSetup
  beforeAll(async () => {
    setup = await startTraces()
  })
  afterAll(() => setup.stop())

  it('are returned as they were written, and no others', async () => {
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string]
    await setup.addSpans(first, [buildResource('a'), buildResource('b', 'acme', 'a')])
    await setup.addSpans(second, [buildResource('c')])
    const parts = await setup.traces.findParts(first)
    expect(parts.every(({ writer }) => writer.account_sid === null && writer.service_provider_sid === null)).toBe(true)
    const result = parts.flatMap((part) => part.spans)
    expect(result).toHaveLength(2)
    expect(result).toEqual(expect.arrayContaining([buildResource('a'), buildResource('b', 'acme', 'a')]))
    expect(await setup.traces.findParts('3'.repeat(32))).toEqual([])
  })

  it('show a tenant its own spans', async () => {
    const id = '4'.repeat(32)
    await setup.addSpans(id, [buildResource('root', 'acme'), buildResource('child', undefined, 'root')])
    const parts = await setup.traces.findParts(id)
    const readVisibleTrace = (account: string) =>
      filterVisibleTrace(parts, {
        account_sid: account,
        service_provider_sid: 'north',
        hasAccount: (sid) => Promise.resolve(sid === account),
      })
    expect((await readVisibleTrace('acme'))?.resourceSpans).toHaveLength(2)
    expect(await readVisibleTrace('bolt')).toBeUndefined()
  })
})

it('returns a span that was stored without attributes with an empty list', async () => {
  const { instrumentationLibrarySpans } = buildResource('root', 'acme')
  const { attributes: _, ...spanWithoutAttributes } = {
    ...instrumentationLibrarySpans![0]!.spans![0]!,
    spanId: 'child',
    parentSpanId: 'root',
  }
  const parts = [
    {
      writer: platformWriter,
      spans: [buildResource('root', 'acme'), { scopeSpans: [{ spans: [spanWithoutAttributes] }] }],
    },
  ]
  const trace = await filterVisibleTrace(parts, {
    account_sid: 'acme',
    service_provider_sid: 'north',
    hasAccount: (account) => Promise.resolve(account === 'acme'),
  })
  expect(listWireSpans(trace!).map(({ spanId, attributes }) => [spanId, attributes?.length])).toEqual([
    ['root', 1],
    ['child', 0],
  ])
})

it('shows a span once that a writer has sent in two exports', async () => {
  const parts = [
    { writer: platformWriter, spans: [buildResource('root', 'acme')] },
    { writer: platformWriter, spans: [buildResource('root', 'acme'), buildResource('child', undefined, 'root')] },
  ]
  const trace = await filterVisibleTrace(parts, {
    account_sid: 'acme',
    service_provider_sid: 'north',
    hasAccount: (account) => Promise.resolve(account === 'acme'),
  })
  expect(listWireSpans(trace!).map(({ spanId }) => spanId)).toEqual(['root', 'child'])
})

describe('a Jaeger', () => {
  it('is reported as unavailable if it fails or does not respond; status 501 means an unknown trace', async () => {
    const jaeger = await startJaeger()
    const traces = createJaegerTraces(jaeger.url)
    jaeger.failWith(503)
    await expect(traces.findParts('1'.repeat(32))).rejects.toThrow(UnavailableError)
    jaeger.failWith(501)
    expect(await traces.findParts('1'.repeat(32))).toEqual([])
    await jaeger.stop()
    await expect(traces.findParts('1'.repeat(32))).rejects.toThrow('does not respond')
  })

  it('is read completely if it splits the response for a long trace', async () => {
    const jaeger = await startJaeger()
    jaeger.storeSpans('5'.repeat(32), [buildResource('a'), buildResource('b')])
    jaeger.streamResponses()
    const [part] = await createJaegerTraces(jaeger.url).findParts('5'.repeat(32))
    expect(part?.spans).toEqual([buildResource('a'), buildResource('b')])
    await jaeger.stop()
  })
})

describe.each(databaseEngines)('the table of traces (%s)', (databaseEngine) => {
  let database: Awaited<ReturnType<typeof createSeededDatabase>>
  beforeEach(async () => {
    database = await createSeededDatabase(databaseEngine)
  })
  afterEach(() => database.close())
  const buildPart = (digit: string, spanId = digit) => ({
    trace_id: digit.repeat(32),
    writer: platformWriter,
    spans: [buildResource(spanId)],
  })
  const buildParts = (digit: string, count: number) =>
    Array.from({ length: count }, (_, index) => buildPart(digit, `${digit}-${index}`))
  const countRows = async () =>
    (await database.db.selectFrom('trunkline_trace_parts').select('trace_id').execute()).length

  it('stores the writer', async () => {
    const writer = { service_provider_sid: 'a'.repeat(36), account_sid: 'b'.repeat(36) }
    const store = createSqlTraceStore(database, 0)
    await store.addParts([{ ...buildPart('1'), writer }])
    expect(await store.findParts('1'.repeat(32))).toEqual([{ writer, spans: [buildResource('1')] }])
  })

  it('stores a repeated export once, but not that of another writer', async () => {
    const store = createSqlTraceStore(database, 0)
    const part = { ...buildPart('1'), spans: [buildResource('a'), buildResource('b')] }
    await store.addParts([part])
    await store.addParts([part, buildPart('1', 'c')])
    await Promise.all([store.addParts([part, part]), store.addParts([part])])
    expect(await store.findParts('1'.repeat(32))).toEqual(
      expect.arrayContaining([
        { writer: platformWriter, spans: part.spans },
        { writer: platformWriter, spans: [buildResource('c')] },
      ]),
    )
    expect(await countRows()).toBe(2)
    const writer = { service_provider_sid: 'a'.repeat(36), account_sid: null }
    await store.addParts([
      { ...part, writer },
      { ...part, trace_id: '2'.repeat(32) },
    ])
    expect(await countRows()).toBe(4)
  })

  it('stores parts in the order in which their spans started', async () => {
    const store = createSqlTraceStore(database, 0)
    const buildPartAt = (startTimeUnixNano: string) => {
      const span = { traceId: '', spanId: startTimeUnixNano, name: '', startTimeUnixNano, endTimeUnixNano: '' }
      return { ...buildPart('1'), spans: [{ scopeSpans: [{ spans: [span] }] }] }
    }
    const startTimes = ['1700000000001000000', 'soon', `9${'0'.repeat(30)}`, '1700000000000000000']
    await store.addParts(startTimes.map(buildPartAt))
    const parts = await store.findParts('1'.repeat(32))
    const storedTimes = parts.map(({ spans }) => spans[0]?.scopeSpans?.[0]?.spans?.[0]?.startTimeUnixNano)
    expect(storedTimes.slice(-2)).toEqual(['1700000000000000000', '1700000000001000000'])
    expect(storedTimes).toHaveLength(4)
  })

  it('stores more spans than fit into one statement', async () => {
    const store = createSqlTraceStore(database, 0)
    await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        store.addParts(buildParts((index % 16).toString(16), 60).slice(index < 16 ? 0 : 30, index < 16 ? 30 : 60)),
      ),
    )
    expect(await countRows()).toBe(960)
    expect(await store.findParts('f'.repeat(32))).toHaveLength(60)
  })

  it('lets other work run while many parts are compressed', async () => {
    const store = createSqlTraceStore(database, 0)
    let isTransactionStarted = false
    const transaction = database.db.transaction.bind(database.db)
    database.db.transaction = () => {
      isTransactionStarted = true
      return transaction()
    }
    const addition = store.addParts(buildParts('1', 5000))
    let turnCount = 0
    for (; !isTransactionStarted; turnCount += 1) await yieldToEventLoop()
    await addition
    expect(turnCount).toBeGreaterThan(10)
    expect(await countRows()).toBe(5000)
  })

  it('hides and prunes traces after their retention period', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = createSqlTraceStore(database, 2, () => now)
    await store.addParts(buildParts('1', 700))
    now += 1.5 * dayMs
    await store.addParts([buildPart('1')])
    expect(await store.findParts('1'.repeat(32))).toHaveLength(701)
    now += dayMs
    expect(await store.findParts('1'.repeat(32))).toHaveLength(1)
    expect(await countRows()).toBe(701)
    await store.prune()
    expect(await countRows()).toBe(1)
    const storeWithoutRetention: TraceStore = createSqlTraceStore(database, 0, () => now + 4000 * dayMs)
    await storeWithoutRetention.prune()
    expect(await countRows()).toBe(1)
  })

  it('fails all waiting writes if the table cannot be written, and recovers afterwards', async () => {
    const store = createSqlTraceStore(database, 0)
    await sql`alter table trunkline_trace_parts rename to elsewhere`.execute(database.db)
    const results = await Promise.allSettled([store.addParts([buildPart('1')]), store.addParts([buildPart('2')])])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await sql`alter table elsewhere rename to trunkline_trace_parts`.execute(database.db)
    await store.addParts([buildPart('3')])
    expect(await countRows()).toBe(1)
  })
})

it('reports a full disk', async () => {
  const database = await createSeededDatabase('sqlite')
  await sql`pragma max_page_count = 1`.execute(database.db)
  // Random numbers cannot be compressed to fit on the only page of the file.
  const incompressibleText = Array.from({ length: 20_000 }, () => Math.random()).join()
  const store = createSqlTraceStore(database, 0)
  const part = { trace_id: '1'.repeat(32), writer: platformWriter, spans: [buildResource(incompressibleText)] }
  await expect(store.addParts([part])).rejects.toThrow(StorageFullError)
  await database.close()
})
