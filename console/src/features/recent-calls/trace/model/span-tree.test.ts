import { describe, expect, it } from 'vitest'
import { buildTrace } from './span-tree'
import { getNote, getProblem } from './span-kind'
import { findCriticalPath } from './critical-path'
import { getVisibleRows } from './waterfall-rows'
import { truncateName, formatDurationMs, getPreferredWidth, splitName, getScale, createTicks } from './time-scale'
import type { WireSpan } from '@trunkline/contract/calls/otlp-trace'

const traceStartNs = 1_700_000_000_000_000_000n

/** A span between two times in milliseconds. */
const createWireSpan = (
  spanId: string,
  parentSpanId: string,
  name: string,
  from: number,
  to: number,
  otherFields = {},
): WireSpan => ({
  traceId: 'trace',
  spanId,
  parentSpanId,
  name,
  startTimeUnixNano: String(traceStartNs + BigInt(Math.round(from * 1e6))),
  endTimeUnixNano: String(traceStartNs + BigInt(Math.round(to * 1e6))),
  ...otherFields,
})
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/** A query service's response: each span in its own resource, in any order. */
const createResponse = (...spans: WireSpan[]) => ({
  resourceSpans: spans.map((span) => ({ instrumentationLibrarySpans: [{ spans: [span] }] })),
})
const build = (...spans: WireSpan[]) => buildTrace(createResponse(...spans))!

const call = build(
  createWireSpan('say', 'root', 'verb:say', 400, 3000),
  createWireSpan('hook', 'gather', 'verb:hook (voice)', 8000, 9000.5),
  createWireSpan('root', 'AAAAAAAAAAA=', 'incoming-call', 0, 10_000),
  createWireSpan('gather', 'root', 'background-gather:gather{inputs=speech}', 3000, 9000),
  createWireSpan('tts', 'say', 'tts-generation', 400, 900),
  createWireSpan('listen', 'root', 'background-record:listen', 100, 9990),
)

describe('the tree of a trace', () => {
  it('starts at the span without a parent, and sorts by time', () => {
    expect(call.spans.map(({ id, depth, descendantCount }) => [id, depth, descendantCount])).toEqual([
      ['root', 0, 5],
      ['listen', 1, 0],
      ['say', 1, 1],
      ['tts', 2, 0],
      ['gather', 1, 1],
      ['hook', 2, 0],
    ])
    expect(call.spans.map(({ kind }) => kind)).toEqual(['call', 'rec', 'verb', 'tts', 'verb', 'hook'])
  })

  it('measures milliseconds from the start of the root, with fractions', () => {
    const trace = build(
      createWireSpan('b', 'a', 'later', 12.5, 13.000071),
      createWireSpan('a', 'elsewhere', 'root', 10, 20),
    )
    expect(trace.spans.map(({ start, end }) => [start, end])).toEqual([
      [0, 10],
      [2.5, 3.000071],
    ])
    expect(trace).toMatchObject({ startMs: 0, endMs: 10 })
  })

  it('is the same for the newer wire format, and for one or several resources', () => {
    const spans = [createWireSpan('b', 'a', 'b', 1, 2), createWireSpan('a', '', 'a', 0, 3)]
    const newFormatTrace = buildTrace({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'x' }, spans }] }] })
    expect(newFormatTrace).toEqual(buildTrace(createResponse(...spans)))
  })

  it('leaves out the internal attributes of tracing', () => {
    const attributes = [
      attribute('telemetry.sdk.name', 'opentelemetry'),
      attribute('internal.span.format', 'jaeger'),
      attribute('verb.summary', 'say{text=Hi}'),
      { key: 'http.statusCode', value: { doubleValue: 200 } },
      { key: 'cached', value: { boolValue: false } },
      { key: 'list', value: { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'two' }] } } },
    ]
    expect(build(createWireSpan('a', '', 'a', 0, 1, { attributes })).spans[0]?.attributes).toEqual([
      { key: 'verb.summary', value: 'say{text=Hi}' },
      { key: 'http.statusCode', value: '200' },
      { key: 'cached', value: 'false' },
      { key: 'list', value: '["1","two"]' },
    ])
  })

  it('handles invalid traces: cycles, duplicate spans, missing times or fields, no spans', () => {
    const cyclicTrace = build(
      createWireSpan('a', 'b', 'a', 0, 5),
      createWireSpan('b', 'a', 'b', 1, 2),
      createWireSpan('c', 'c', 'c', 3, 4),
    )
    expect(cyclicTrace.spans.map(({ id, depth }) => [id, depth])).toEqual([
      ['c', 0],
      ['a', 0],
      ['b', 1],
    ])
    expect(build(createWireSpan('a', '', 'a', 0, 1), createWireSpan('a', '', 'a', 0, 1)).spans).toHaveLength(1)
    expect(build({ ...createWireSpan('a', '', 'a', 5, 6), endTimeUnixNano: '0' }).spans[0]).toMatchObject({
      start: 0,
      end: 0,
    })
    expect(build({ spanId: '', name: undefined } as unknown as WireSpan).spans[0]).toMatchObject({ id: '#0', name: '' })
    expect(buildTrace({ resourceSpans: [] })).toBeUndefined()
    expect(buildTrace({} as never)).toBeUndefined()
    expect(buildTrace({ resourceSpans: [{ scopeSpans: {} as never }] })).toBeUndefined()
  })

  it('ignores values of the wrong type', () => {
    const fields = {
      spanId: 7,
      parentSpanId: { id: 1 },
      name: null,
      attributes: [
        null,
        3,
        { key: 5 },
        { key: 'list', value: { arrayValue: { values: 'x' } } },
        { key: 'empty', value: null },
      ],
      events: [null, 'x', { name: { text: 'x' }, timeUnixNano: {} }],
      status: { code: 2, message: { reason: 'x' } },
    }
    const malformedSpan = { ...createWireSpan('a', '', 'a', 0, 1), ...fields } as unknown as WireSpan
    const trace = build(malformedSpan, null as never)
    expect(trace.spans).toHaveLength(1)
    expect(trace.spans[0]).toMatchObject({ id: '7', parentId: undefined, name: '', failed: true })
    expect(trace.spans[0]).not.toHaveProperty('failure')
    expect(trace.spans[0]!.attributes.map(({ key }) => key)).toEqual(['list', 'empty'])
    expect(trace.spans[0]!.events).toEqual([{ name: '', offsetMs: expect.any(Number) }])
    expect(getVisibleRows(trace, new Set(), 'nowhere')).toEqual([])
  })

  it('supports traces of any depth', () => {
    const deepTrace = build(
      ...Array.from({ length: 10_000 }, (_, index) =>
        createWireSpan(`s${index}`, index > 0 ? `s${index - 1}` : '', 'x', index, 20_000 - index),
      ),
    )
    expect(deepTrace.spans.at(-1)).toMatchObject({ depth: 9999 })
    expect(findCriticalPath(deepTrace).size).toBe(10_000)
  })
})

describe('the format of the waterfall', () => {
  it.each([
    [0, '0 ms'],
    [0.071, '0.07 ms'],
    [4.5, '4.5 ms'],
    [250.4, '250 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1000, '1.00 s'],
    [38_424, '38.42 s'],
    [59_994, '59.99 s'],
    [59_996, '1m 0s'],
    [61_400, '1m 1s'],
    [3_723_000, '62m 3s'],
  ])('shows a duration of %d ms', (ms, text) => {
    expect(formatDurationMs(ms)).toBe(text)
  })

  it('compresses a trace that is wider than the window, and does not stretch a narrow one', () => {
    expect(getPreferredWidth(20)).toBe(200)
    expect(getScale(20, 500)).toBe(10)
    expect(getScale(38_000, 500)).toBeCloseTo(500 / 38_000)
  })

  it('puts time marks at round numbers, with enough space between them', () => {
    expect(createTicks(0, 38_420, 540).map(({ text }) => text)).toEqual([
      '0 s',
      '5 s',
      '10 s',
      '15 s',
      '20 s',
      '25 s',
      '30 s',
      '35 s',
    ])
    expect(createTicks(0, 900, 400).map(({ text }) => text)).toEqual(['0 s', '0.2 s', '0.4 s', '0.6 s', '0.8 s'])
    expect(createTicks(0, 10, 100).map(({ text }) => text)).toEqual(['0 s', '10 ms'])
    expect(createTicks(0, 180_000, 400).map(({ text }) => text)).toEqual([
      '0 s',
      '30 s',
      '1m',
      '1m 30s',
      '2m',
      '2m 30s',
      '3m',
    ])
    expect(createTicks(-120_000, 0, 300).map(({ text }) => text)).toEqual(['-2m', '-1m 30s', '-1m', '-30 s', '0 s'])
    expect(createTicks(5, 5, 400)).toHaveLength(1)
    for (const length of [0.001, 1, 77, 1234, 65_000, 4e6, 9e7])
      for (const width of [80, 300, 1200]) {
        const marks = createTicks(0, length, width)
        const distancePx = (marks[1]?.time ?? Infinity) * getScale(length, width)
        expect(distancePx).toBeGreaterThanOrEqual(61.9)
        expect(marks.length).toBeGreaterThan(0)
      }
  })

  it('truncates names to 36 characters', () => {
    expect(truncateName('verb:gather')).toBe('verb:gather')
    expect(truncateName('x'.repeat(36))).toBe('x'.repeat(36))
    expect(truncateName('x'.repeat(37))).toBe(`${'x'.repeat(36)}…`)
  })

  it.each([
    ['incoming-call', 'incoming-call', ''],
    ['verb:hook (voice)', 'hook (voice)', ''],
    ['verb:gather{inputs=speech,vendor=google}', 'gather', 'inputs=speech, vendor=google'],
    ['verb:gather{inputs=speech,vendor=google,language=en-US}', 'gather', 'inputs=speech, vendor=google,…'],
    ['verb:say{text=Well, then}', 'say', 'text=Well, then'],
    ['verb:listen{}', 'listen', ''],
    [`verb:${'x'.repeat(40)}{a=b}`, `${'x'.repeat(36)}…`, ''],
  ])('splits %s into its verb and arguments', (raw, name, detail) => {
    expect(splitName(raw)).toEqual({ name, detail })
  })
})

describe('the note of a span', () => {
  const buildSpan = (name: string, ...attributes: object[]) =>
    build(createWireSpan('a', '', name, 0, 1, { attributes })).spans[0]!
  const sttResult = attribute('stt.result', JSON.stringify({ alternatives: [{ transcript: 'a cleaning' }] }))

  it('shows the most important attribute', () => {
    expect(getNote(buildSpan('stt-listen:1', sttResult))).toBe('“a cleaning”')
    expect(getNote(buildSpan('stt-listen:1', attribute('stt.result', '{broken')))).toBeUndefined()
    expect(getNote(buildSpan('tts-generation', { key: 'tts.cached', value: { boolValue: true } }))).toBe('cached')
    expect(getNote(buildSpan('dtmf:4', attribute('dtmf', '4')))).toBe('key 4')
    expect(getNote(buildSpan('incoming-call', sttResult))).toBeUndefined()
  })

  it('shows the failure', () => {
    expect(getProblem(buildSpan('stt-listen:1', attribute('stt.resolve', 'timeout')))).toBe('timeout')
    expect(getProblem(buildSpan('verb:hook', { key: 'http.statusCode', value: { doubleValue: 502 } }))).toBe('502')
    expect(getProblem(buildSpan('verb:hook', { key: 'http.statusCode', value: { doubleValue: 200 } }))).toBeUndefined()
    const failed = build(createWireSpan('a', '', 'a', 0, 1, { status: { code: 2, message: 'boom' } })).spans[0]!
    expect(getProblem(failed)).toBe('error')
    expect(failed.failure).toBe('boom')
  })
})

describe('the critical path', () => {
  it('covers the spans that the call waited for, without parallel recordings', () => {
    expect(Object.fromEntries(findCriticalPath(call))).toEqual({
      root: [
        [0, 400],
        [9000, 10_000],
      ],
      say: [[900, 3000]],
      tts: [[400, 900]],
      gather: [[3000, 8000]],
      hook: [[8000, 9000]],
    })
  })

  it('covers the duration of the root exactly once', () => {
    const ranges = [...findCriticalPath(call).values()]
      .flat()
      .sort(([firstStart], [secondStart]) => firstStart - secondStart)
    expect(ranges.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(10_000)
    ranges.forEach(([from], index) => expect(from).toBe(index === 0 ? 0 : ranges[index - 1]![1]))
  })
})

describe('the rows of a trace', () => {
  const getIds = (...args: Parameters<typeof getVisibleRows> extends [unknown, ...infer Rest] ? Rest : never) =>
    getVisibleRows(call, ...args).map(({ span: { id }, isMatch }) => (isMatch ? id.toUpperCase() : id))

  it('leave out the descendants of a collapsed span', () => {
    expect(getIds(new Set())).toEqual(['root', 'listen', 'say', 'tts', 'gather', 'hook'])
    expect(getIds(new Set(['say']))).toEqual(['root', 'listen', 'say', 'gather', 'hook'])
    expect(getIds(new Set(['root', 'say']))).toEqual(['root'])
  })

  it('include spans that match the text and their ancestors, even if collapsed', () => {
    expect(getIds(new Set(['root']), ' TTS-gen ')).toEqual(['root', 'say', 'TTS'])
    expect(getIds(new Set(), 'no such words')).toEqual([])
  })
})
