import { describe, expect, it } from 'vitest'
import { buildTrace } from './span-tree'
import { noteOf, problemOf } from './span-kind'
import { criticalPath } from './critical-path'
import { visibleRows } from './waterfall-rows'
import { cutName, durationText, preferredWidth, rowName, scaleOf, ticksOf } from './time-scale'
import type { WireSpan } from '@trunkline/contract/calls/otlp-trace'

const zero = 1_700_000_000_000_000_000n

/** A span between two times in milliseconds. */
const span = (spanId: string, parentSpanId: string, name: string, from: number, to: number, more = {}): WireSpan => ({
  traceId: 'trace',
  spanId,
  parentSpanId,
  name,
  startTimeUnixNano: String(zero + BigInt(Math.round(from * 1e6))),
  endTimeUnixNano: String(zero + BigInt(Math.round(to * 1e6))),
  ...more,
})
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/** A query service's response: each span in its own resource, in any order. */
const answer = (...spans: WireSpan[]) => ({
  resourceSpans: spans.map((each) => ({ instrumentationLibrarySpans: [{ spans: [each] }] })),
})
const made = (...spans: WireSpan[]) => buildTrace(answer(...spans))!

const call = made(
  span('say', 'root', 'verb:say', 400, 3000),
  span('hook', 'gather', 'verb:hook (voice)', 8000, 9000.5),
  span('root', 'AAAAAAAAAAA=', 'incoming-call', 0, 10_000),
  span('gather', 'root', 'background-gather:gather{inputs=speech}', 3000, 9000),
  span('tts', 'say', 'tts-generation', 400, 900),
  span('listen', 'root', 'background-record:listen', 100, 9990),
)

describe('the tree of a trace', () => {
  it('starts at the span without a parent, and sorts by time', () => {
    expect(call.spans.map(({ id, depth, below }) => [id, depth, below])).toEqual([
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
    const found = made(span('b', 'a', 'later', 12.5, 13.000071), span('a', 'elsewhere', 'root', 10, 20))
    expect(found.spans.map(({ start, end }) => [start, end])).toEqual([
      [0, 10],
      [2.5, 3.000071],
    ])
    expect(found).toMatchObject({ from: 0, to: 10 })
  })

  it('is the same for the newer wire format, and for one or several resources', () => {
    const spans = [span('b', 'a', 'b', 1, 2), span('a', '', 'a', 0, 3)]
    const newer = buildTrace({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'x' }, spans }] }] })
    expect(newer).toEqual(buildTrace(answer(...spans)))
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
    expect(made(span('a', '', 'a', 0, 1, { attributes })).spans[0]?.attributes).toEqual([
      { key: 'verb.summary', value: 'say{text=Hi}' },
      { key: 'http.statusCode', value: '200' },
      { key: 'cached', value: 'false' },
      { key: 'list', value: '["1","two"]' },
    ])
  })

  it('handles invalid traces: cycles, duplicate spans, missing times or fields, no spans', () => {
    const circle = made(span('a', 'b', 'a', 0, 5), span('b', 'a', 'b', 1, 2), span('c', 'c', 'c', 3, 4))
    expect(circle.spans.map(({ id, depth }) => [id, depth])).toEqual([
      ['c', 0],
      ['a', 0],
      ['b', 1],
    ])
    expect(made(span('a', '', 'a', 0, 1), span('a', '', 'a', 0, 1)).spans).toHaveLength(1)
    expect(made({ ...span('a', '', 'a', 5, 6), endTimeUnixNano: '0' }).spans[0]).toMatchObject({ start: 0, end: 0 })
    expect(made({ spanId: '', name: undefined } as unknown as WireSpan).spans[0]).toMatchObject({ id: '#0', name: '' })
    expect(buildTrace({ resourceSpans: [] })).toBeUndefined()
    expect(buildTrace({} as never)).toBeUndefined()
    expect(buildTrace({ resourceSpans: [{ scopeSpans: {} as never }] })).toBeUndefined()
  })

  it('supports traces of any depth', () => {
    const deep = made(
      ...Array.from({ length: 10_000 }, (_, at) => span(`s${at}`, at > 0 ? `s${at - 1}` : '', 'x', at, 20_000 - at)),
    )
    expect(deep.spans.at(-1)).toMatchObject({ depth: 9999 })
    expect(criticalPath(deep).size).toBe(10_000)
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
    expect(durationText(ms)).toBe(text)
  })

  it('compresses a trace that is wider than the window, and does not stretch a narrow one', () => {
    expect(preferredWidth(20)).toBe(200)
    expect(scaleOf(20, 500)).toBe(10)
    expect(scaleOf(38_000, 500)).toBeCloseTo(500 / 38_000)
  })

  it('puts time marks at round numbers, with enough space between them', () => {
    expect(ticksOf(0, 38_420, 540).map(({ text }) => text)).toEqual([
      '0 s',
      '5 s',
      '10 s',
      '15 s',
      '20 s',
      '25 s',
      '30 s',
      '35 s',
    ])
    expect(ticksOf(0, 900, 400).map(({ text }) => text)).toEqual(['0 s', '0.2 s', '0.4 s', '0.6 s', '0.8 s'])
    expect(ticksOf(0, 10, 100).map(({ text }) => text)).toEqual(['0 s', '10 ms'])
    expect(ticksOf(0, 180_000, 400).map(({ text }) => text)).toEqual([
      '0 s',
      '30 s',
      '1m',
      '1m 30s',
      '2m',
      '2m 30s',
      '3m',
    ])
    expect(ticksOf(5, 5, 400)).toHaveLength(1)
    for (const length of [0.001, 1, 77, 1234, 65_000, 4e6, 9e7])
      for (const width of [80, 300, 1200]) {
        const marks = ticksOf(0, length, width)
        const apart = (marks[1]?.at ?? Infinity) * scaleOf(length, width)
        expect(apart).toBeGreaterThanOrEqual(61.9)
        expect(marks.length).toBeGreaterThan(0)
      }
  })

  it('truncates names to 36 characters', () => {
    expect(cutName('verb:gather')).toBe('verb:gather')
    expect(cutName('x'.repeat(36))).toBe('x'.repeat(36))
    expect(cutName('x'.repeat(37))).toBe(`${'x'.repeat(36)}…`)
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
    expect(rowName(raw)).toEqual({ name, detail })
  })
})

describe('the note of a span', () => {
  const of = (name: string, ...attributes: object[]) => made(span('a', '', name, 0, 1, { attributes })).spans[0]!
  const heard = attribute('stt.result', JSON.stringify({ alternatives: [{ transcript: 'a cleaning' }] }))

  it('shows the most important attribute', () => {
    expect(noteOf(of('stt-listen:1', heard))).toBe('“a cleaning”')
    expect(noteOf(of('stt-listen:1', attribute('stt.result', '{broken')))).toBeUndefined()
    expect(noteOf(of('tts-generation', { key: 'tts.cached', value: { boolValue: true } }))).toBe('cached')
    expect(noteOf(of('dtmf:4', attribute('dtmf', '4')))).toBe('key 4')
    expect(noteOf(of('incoming-call', heard))).toBeUndefined()
  })

  it('shows the failure', () => {
    expect(problemOf(of('stt-listen:1', attribute('stt.resolve', 'timeout')))).toBe('timeout')
    expect(problemOf(of('verb:hook', { key: 'http.statusCode', value: { doubleValue: 502 } }))).toBe('502')
    expect(problemOf(of('verb:hook', { key: 'http.statusCode', value: { doubleValue: 200 } }))).toBeUndefined()
    const failed = made(span('a', '', 'a', 0, 1, { status: { code: 2, message: 'boom' } })).spans[0]!
    expect(problemOf(failed)).toBe('error')
    expect(failed.failure).toBe('boom')
  })
})

describe('the critical path', () => {
  it('covers the spans that the call waited for, without parallel recordings', () => {
    expect(Object.fromEntries(criticalPath(call))).toEqual({
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
    const parts = [...criticalPath(call).values()].flat().sort(([one], [other]) => one - other)
    expect(parts.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(10_000)
    parts.forEach(([from], at) => expect(from).toBe(at === 0 ? 0 : parts[at - 1]![1]))
  })
})

describe('the rows of a trace', () => {
  const ids = (...asked: Parameters<typeof visibleRows> extends [unknown, ...infer Rest] ? Rest : never) =>
    visibleRows(call, ...asked).map(({ span: { id }, isMatch }) => (isMatch ? id.toUpperCase() : id))

  it('leave out the descendants of a collapsed span', () => {
    expect(ids(new Set())).toEqual(['root', 'listen', 'say', 'tts', 'gather', 'hook'])
    expect(ids(new Set(['say']))).toEqual(['root', 'listen', 'say', 'gather', 'hook'])
    expect(ids(new Set(['root', 'say']))).toEqual(['root'])
  })

  it('include spans that match the text and their ancestors, even if collapsed', () => {
    expect(ids(new Set(['root']), ' TTS-gen ')).toEqual(['root', 'say', 'TTS'])
    expect(ids(new Set(), 'no such words')).toEqual([])
  })
})
