import { describe, expect, it } from 'vitest'
import { createEmptyPeaks, peaksPerSecond } from './peaks'
import { findRegions, noTranscript } from './regions'
import { buildTrace } from '../../trace/model/span-tree'
import type { AnyValue, WireSpan } from '@trunkline/contract/calls/otlp-trace'

const traceStartNs = 1_700_000_000_000_000_000n
type Values = Record<string, AnyValue | string>

/** A span between two times in seconds. */
const createSpan = (
  spanId: string,
  parentSpanId: string,
  name: string,
  from: number,
  to: number,
  values: Values = {},
) =>
  ({
    traceId: 'trace',
    spanId,
    parentSpanId,
    name,
    startTimeUnixNano: String(traceStartNs + BigInt(Math.round(from * 1e9))),
    endTimeUnixNano: String(traceStartNs + BigInt(Math.round(to * 1e9))),
    attributes: Object.entries(values).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : value,
    })),
  }) satisfies WireSpan

const root = createSpan('root', '', 'incoming-call', 0, 60)
/** The recording started two seconds after the call. */
const recording = createSpan('listen', 'root', 'background-record:listen', 2, 60)
const findIn = (spans: WireSpan[], peaks?: Parameters<typeof findRegions>[1]) =>
  findRegions(buildTrace({ resourceSpans: [{ scopeSpans: [{ spans: [root, ...spans] }] }] })!, peaks)
const findInRecording = (...spans: WireSpan[]) => findIn([recording, ...spans])

const createResult = (transcript: string) => ({
  'stt.result': JSON.stringify({
    vendor: { name: 'microsoft' },
    language_code: 'en-US',
    alternatives: [{ transcript, confidence: 0.93 }],
  }),
})
const helloEvent = { kind: 'stt', vendor: 'microsoft', language: 'en-US', confidence: 0.93, transcript: 'Hello' }

/** Peaks with speech on the first channel until this second. */
const createSpeechPeaks = (endSecond: number) => {
  const peaks = createEmptyPeaks(58, 2)
  peaks.knownFlags.fill(1)
  peaks.channels[0]!.fill(0.5, 0, endSecond * peaksPerSecond)
  return peaks
}

describe('the regions of a recording', () => {
  it('are relative to its start', () => {
    expect(
      findInRecording(createSpan('t', 'root', 'tts-generation', 5, 5.4, { 'tts.vendor': 'google' })),
    ).toMatchObject([{ start: 3, end: expect.closeTo(3.4, 6), channel: 1, isLatency: true }])
  })
  it('are empty if no span marks the start of the recording', () => {
    expect(findIn([createSpan('t', 'root', 'tts-generation', 5, 5.4)])).toEqual([])
  })
  it('are relative to the first of several recordings', () => {
    const secondRecording = createSpan('again', 'root', 'background-record:listen', 30, 60)
    expect(findIn([secondRecording, recording, createSpan('t', 'root', 'tts-generation', 5, 5.4)])[0]).toMatchObject({
      start: 3,
    })
  })
  it('leave out spans before the recording', () => {
    expect(findInRecording(createSpan('t', 'root', 'tts-generation', 0.5, 1))).toEqual([])
  })
})

describe('speech recognition', () => {
  it('of a gather is on the first channel, with the transcript', () => {
    const regions = findInRecording(
      createSpan('g', 'root', 'verb:gather{inputs=speech}', 10, 14, createResult('Hello')),
    )
    expect(regions).toMatchObject([{ id: 'g', start: 8, end: 12, channel: 0, isLatency: false, event: helloEvent }])
  })
  it.each([
    ['stt-listen:0', 0],
    ['stt-listen:1', 0],
    ['stt-listen:2', 1],
  ])('of %s is on channel %i', (name, channel) => {
    expect(findInRecording(createSpan('s', 'root', name, 10, 14, createResult('Hello')))).toMatchObject([
      { channel, event: helloEvent },
    ])
  })
  it('uses the latency that the voice server reports, and ends it before the webhook request', () => {
    const gather = createSpan('g', 'root', 'verb:gather{inputs=speech}', 10, 14, {
      ...createResult('Hello'),
      'stt.latency_ms': { intValue: '350' },
    })
    const hook = createSpan('h', 'g', 'verb:hook', 13.5, 14)
    const [region, wait] = findInRecording(gather, hook)
    expect(region).toMatchObject({ isLatency: false, event: { ...helloEvent, latencySeconds: 0.35 } })
    expect(wait).toMatchObject({ isLatency: true, start: expect.closeTo(11.15, 6), end: expect.closeTo(11.5, 6) })
  })
  it('measures the latency from the audio if the voice server reports none', () => {
    const gather = createSpan('g', 'root', 'verb:gather{inputs=speech}', 10, 14, createResult('Hello'))
    const hook = createSpan('h', 'g', 'verb:hook', 13.5, 14)
    const [region, wait] = findIn([recording, gather, hook], createSpeechPeaks(11))
    // silent from 11 to 12, of which the last half second was the application's response time
    expect(region?.event).toMatchObject({ latencySeconds: expect.closeTo(0.5, 6) })
    expect(wait).toMatchObject({ isLatency: true, start: 11, end: expect.closeTo(11.5, 6) })
  })
  it('has no latency if the audio is not loaded or somebody is still speaking', () => {
    const gather = createSpan('g', 'root', 'verb:gather{inputs=speech}', 10, 14, createResult('Hello'))
    for (const peaks of [createEmptyPeaks(58, 2), createSpeechPeaks(20), undefined]) {
      const regions = findIn([recording, gather], peaks)
      expect(regions).toHaveLength(1)
      expect(regions[0]?.event).not.toHaveProperty('latency')
    }
  })
  it.each([
    [{ 'stt.resolve': 'timeout' }, noTranscript.timeout],
    [{ 'stt.resolve': 'speech' }, noTranscript.ended],
    [{}, noTranscript.ended],
    [{ 'stt.result': '{"alternatives":' }, noTranscript.ended],
  ])('without a transcript shows the reason: %o', (values, transcript) => {
    expect(findInRecording(createSpan('g', 'root', 'verb:gather{inputs=speech}', 10, 14, values))).toMatchObject([
      { event: { kind: 'stt', transcript } },
    ])
  })
  it('ignores a gather of digits, and shows nested spans once', () => {
    const digitGather = createSpan('k', 'root', 'verb:gather{inputs=digits}', 10, 14)
    const gather = createSpan('g', 'root', 'verb:gather{inputs=speech}', 20, 24)
    const recognition = createSpan('s', 'g', 'stt-listen:1', 20, 23, createResult('Hello'))
    expect(findInRecording(digitGather, gather, recognition)).toMatchObject([{ id: 's', event: helloEvent }])
  })
  it('ignores a malformed result', () => {
    for (const text of ['[]', '"no"', '{"vendor":3,"alternatives":{}}', 'null'])
      expect(findInRecording(createSpan('s', 'root', 'stt-listen:1', 10, 14, { 'stt.result': text }))).toHaveLength(1)
  })
})

describe('DTMF', () => {
  it('shows the digit and duration, in a region at least 0.1 s wide', () => {
    const regions = findInRecording(createSpan('d', 'root', 'dtmf:4', 10, 10.001, { dtmf: '4', duration: '60ms' }))
    expect(regions).toMatchObject([
      {
        start: 8,
        end: expect.closeTo(8.1, 6),
        channel: 0,
        isLatency: false,
        event: { kind: 'dtmf', dtmf: '4', duration: '60ms' },
      },
    ])
  })
  it('has a region as wide as its duration', () => {
    const getEnd = (duration: string) =>
      findInRecording(createSpan('d', 'root', 'dtmf:4', 10, 10, { duration }))[0]?.end
    for (const duration of ['240ms', ' 240 ', '240 ms ']) expect(getEnd(duration)).toBeCloseTo(8.24, 6)
    // spans may contain any text; parsing must take linear time
    expect(getEnd(`240${' '.repeat(400_000)}x`)).toBe(getEnd('soon'))
  })
})

describe('speech synthesis', () => {
  it('shows the time to first byte, in a region wide enough to see', () => {
    const values = {
      'tts.vendor': 'google',
      'tts.cached': { boolValue: false },
      time_to_first_byte_ms: { doubleValue: 20 },
    }
    expect(findInRecording(createSpan('t', 'root', 'tts-generation', 10, 11, values))).toMatchObject([
      { end: expect.closeTo(8.05, 6), event: { kind: 'tts', vendor: 'google', latencySeconds: 0.02, isCached: false } },
    ])
  })
  it('gives cached audio a region of the minimum width', () => {
    expect(
      findInRecording(createSpan('t', 'root', 'tts-generation', 10, 11, { 'tts.cached': { boolValue: true } })),
    ).toMatchObject([{ isLatency: true, event: { kind: 'tts', isCached: true } }])
  })
})

describe('the webhook response', () => {
  it.each(['speechDetected', 'dtmfDetected'])('to %s is a latency', (reason) => {
    const values = { 'http.body': JSON.stringify({ reason }), 'http.statusCode': { doubleValue: 200 } }
    expect(findInRecording(createSpan('h', 'root', 'verb:hook', 10, 11.4, values))).toMatchObject([
      { isLatency: true, start: 8, event: { kind: 'hook', status: 200, latencySeconds: expect.closeTo(1.4, 6) } },
    ])
  })
  it('counts as 404 if there is no status', () => {
    const values = { 'http.body': '{"reason" : "speechDetected"}' }
    expect(findInRecording(createSpan('h', 'root', 'verb:hook', 10, 11, values))).toMatchObject([
      { event: { status: 404 } },
    ])
  })
  it('to any other event is not shown', () => {
    expect(
      findInRecording(createSpan('h', 'root', 'verb:hook', 10, 11, { 'http.body': '{"reason":"timeout"}' })),
    ).toEqual([])
  })
})
