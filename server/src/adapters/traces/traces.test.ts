import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listWireSpans, type ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { startJaeger } from '../../../test/doubles/jaeger'
import { engines, fresh } from '../../../test/engines'
import { visibleTrace, type Traces, type TraceStore } from '../../ports/traces'
import { StorageFullError, UnavailableError } from '../../ports/service-errors'
import { jaegerTraces } from './jaeger'
import { sqlTraces } from './sql'

const anonymous = { service_provider_sid: null, account_sid: null }
const day = 24 * 60 * 60 * 1000

/** A resource with one span, optionally of an account. */
const spans = (spanId: string, account?: string, parentSpanId = ''): ResourceSpans => ({
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

interface Kept {
  traces: Traces
  /** Stores spans in this kind of store. */
  put: (traceId: string, parts: ResourceSpans[]) => Promise<void>
  stop: () => Promise<void>
}

const inSql = async (engine: (typeof engines)[number]): Promise<Kept> => {
  const database = await fresh(engine)
  const store = sqlTraces(database, 0)
  return {
    traces: store,
    put: (trace_id, parts) => store.add(parts.map((item) => ({ trace_id, writer: anonymous, spans: [item] }))),
    stop: () => database.close(),
  }
}

const inJaeger = async (): Promise<Kept> => {
  const jaeger = await startJaeger()
  return {
    traces: jaegerTraces(jaeger.url),
    put: (traceId, parts) => Promise.resolve(void jaeger.hold(traceId, parts)),
    stop: () => jaeger.stop(),
  }
}

const setups: [string, () => Promise<Kept>][] = [
  ...engines.map((engine) => [engine, () => inSql(engine)] as [string, () => Promise<Kept>]),
  ['jaeger', inJaeger],
]

describe.each(setups)('traces in %s', (_, open) => {
  let stored: Kept
  beforeAll(async () => {
    stored = await open()
  })
  afterAll(() => stored.stop())

  it('are returned as they were written, and no others', async () => {
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string]
    await stored.put(first, [spans('a'), spans('b', 'acme', 'a')])
    await stored.put(second, [spans('c')])
    const parts = await stored.traces.find(first)
    expect(parts.every(({ writer }) => writer.account_sid === null && writer.service_provider_sid === null)).toBe(true)
    const result = parts.flatMap((part) => part.spans)
    expect(result).toHaveLength(2)
    expect(result).toEqual(expect.arrayContaining([spans('a'), spans('b', 'acme', 'a')]))
    expect(await stored.traces.find('3'.repeat(32))).toEqual([])
  })

  it('show a tenant its own spans', async () => {
    const id = '4'.repeat(32)
    await stored.put(id, [spans('root', 'acme'), spans('child', undefined, 'root')])
    const parts = await stored.traces.find(id)
    const requests = (account: string) =>
      visibleTrace(parts, {
        account_sid: account,
        service_provider_sid: 'north',
        hasAccount: (item) => Promise.resolve(item === account),
      })
    expect((await requests('acme'))?.resourceSpans).toHaveLength(2)
    expect(await requests('bolt')).toBeUndefined()
  })
})

it('returns every span with a list of attributes, even if it was stored without', async () => {
  const { instrumentationLibrarySpans } = spans('root', 'acme')
  const { attributes: _, ...bare } = {
    ...instrumentationLibrarySpans![0]!.spans![0]!,
    spanId: 'child',
    parentSpanId: 'root',
  }
  const parts = [{ writer: anonymous, spans: [spans('root', 'acme'), { scopeSpans: [{ spans: [bare] }] }] }]
  const trace = await visibleTrace(parts, {
    account_sid: 'acme',
    service_provider_sid: 'north',
    hasAccount: (account) => Promise.resolve(account === 'acme'),
  })
  expect(listWireSpans(trace!).map(({ spanId, attributes }) => [spanId, attributes?.length])).toEqual([
    ['root', 1],
    ['child', 0],
  ])
})

describe('a Jaeger', () => {
  it('is reported as unavailable if it does not respond or fails, and returns nothing for unknown traces', async () => {
    const jaeger = await startJaeger()
    const traces = jaegerTraces(jaeger.url)
    jaeger.breakWith(503)
    await expect(traces.find('1'.repeat(32))).rejects.toThrow(UnavailableError)
    jaeger.breakWith(501)
    expect(await traces.find('1'.repeat(32))).toEqual([])
    await jaeger.stop()
    await expect(traces.find('1'.repeat(32))).rejects.toThrow('does not respond')
  })

  it('may split the response for a long trace', async () => {
    const jaeger = await startJaeger()
    jaeger.hold('5'.repeat(32), [spans('a'), spans('b')])
    jaeger.answerInPieces()
    const [part] = await jaegerTraces(jaeger.url).find('5'.repeat(32))
    expect(part?.spans).toEqual([spans('a'), spans('b')])
    await jaeger.stop()
  })
})

describe.each(engines)('the table of traces (%s)', (engine) => {
  let database: Awaited<ReturnType<typeof fresh>>
  beforeEach(async () => {
    database = await fresh(engine)
  })
  afterEach(() => database.close())
  const part = (digit: string) => ({ trace_id: digit.repeat(32), writer: anonymous, spans: [spans(digit)] })
  const rows = async () => (await database.db.selectFrom('trunkline_trace_parts').select('trace_id').execute()).length

  it('stores the writer', async () => {
    const writer = { service_provider_sid: 'a'.repeat(36), account_sid: 'b'.repeat(36) }
    const store = sqlTraces(database, 0)
    await store.add([{ ...part('1'), writer }])
    expect(await store.find('1'.repeat(32))).toEqual([{ writer, spans: [spans('1')] }])
  })

  it('stores more spans than fit into one statement', async () => {
    const store = sqlTraces(database, 0)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        store.add(Array.from({ length: 30 }, () => part((index % 16).toString(16)))),
      ),
    )
    expect(await rows()).toBe(1200)
    expect(await store.find('f'.repeat(32))).toHaveLength(60)
  })

  it('yields while many parts are compressed', async () => {
    const store = sqlTraces(database, 0)
    let packed = false
    const transaction = database.db.transaction.bind(database.db)
    database.db.transaction = () => {
      packed = true
      return transaction()
    }
    const stored = store.add(Array.from({ length: 5000 }, () => part('1')))
    let turns = 0
    for (; !packed; turns += 1) await turn()
    await stored
    expect(turns).toBeGreaterThan(10)
    expect(await rows()).toBe(5000)
  })

  it('hides and prunes traces after their retention period', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = sqlTraces(database, 2, () => now)
    const count = Array.from({ length: 700 }, () => part('1'))
    await store.add(count)
    now += 1.5 * day
    await store.add([part('1')])
    expect(await store.find('1'.repeat(32))).toHaveLength(701)
    now += day
    expect(await store.find('1'.repeat(32))).toHaveLength(1)
    expect(await rows()).toBe(701)
    await store.prune()
    expect(await rows()).toBe(1)
    const forEver: TraceStore = sqlTraces(database, 0, () => now + 4000 * day)
    await forEver.prune()
    expect(await rows()).toBe(1)
  })

  it('fails waiting writes if nothing can be written, and recovers afterwards', async () => {
    const store = sqlTraces(database, 0)
    await sql`alter table trunkline_trace_parts rename to elsewhere`.execute(database.db)
    const failed = await Promise.allSettled([store.add([part('1')]), store.add([part('2')])])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await sql`alter table elsewhere rename to trunkline_trace_parts`.execute(database.db)
    await store.add([part('3')])
    expect(await rows()).toBe(1)
  })
})

it('reports a full disk', async () => {
  const database = await fresh('sqlite')
  await sql`pragma max_page_count = 1`.execute(database.db)
  const noise = Array.from({ length: 20_000 }, () => Math.random()).join()
  const store = sqlTraces(database, 0)
  const part = { trace_id: '1'.repeat(32), writer: anonymous, spans: [spans(noise)] }
  await expect(store.add([part])).rejects.toThrow(StorageFullError)
  await database.close()
})
