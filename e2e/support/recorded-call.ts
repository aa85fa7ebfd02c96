import { randomBytes } from 'node:crypto'
import type { ApiClient } from '../../scripts/launch/api'
import { findDefaultProviderSid } from '../../scripts/launch/api'
import type { TestServer } from '../../scripts/launch/server'

const sampleRate = 8000

/** Intervals of speech, in seconds. */
type SpeechIntervals = readonly (readonly [number, number])[]

/** Generates the audio of a call: one channel of speech for each argument, usually the caller's and the platform's. */
export const generateCallAudio = (seconds: number, ...channels: SpeechIntervals[]): Buffer => {
  const bytes = Buffer.alloc(seconds * sampleRate * 4)
  for (let sample = 0; sample < seconds * sampleRate; sample += 1)
    channels.forEach((intervals, channel) => {
      const isSpeech = intervals.some(([from, to]) => sample >= from * sampleRate && sample < to * sampleRate)
      const amplitude = isSpeech ? 12_000 * Math.sin((sample * (channel + 1)) / 6) : 0
      bytes.writeInt16LE(Math.round(amplitude), sample * 4 + channel * 2)
    })
  return bytes
}

/** The header of a WAV file with this many bytes of audio. */
export const buildWavHeader = (byteCount: number): Buffer => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + byteCount, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 4, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(byteCount, 40)
  return header
}

/** A silent MP3 file of at least this many seconds. */
export const buildSilentMp3 = (seconds: number): Buffer => {
  const frame = Buffer.alloc(417)
  // MPEG version 1, layer III, 128 kbit/s, 44,100 samples per second
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat(Array<Buffer>(Math.ceil((seconds * 44_100) / 1152)).fill(frame))
}

/** A span of a trace, in seconds from its start. */
export interface SampleSpan {
  name: string
  startSeconds: number
  endSeconds: number
  attributes?: Record<string, string | number | boolean>
  /** The name of the parent span. */
  parent?: string
}

const toAttributeValue = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : { doubleValue: value }

/** Sends a trace to the ingest endpoint. */
const sendTrace = async (server: TestServer, account: string, startMs: number, spans: readonly SampleSpan[]) => {
  const traceId = randomBytes(16).toString('hex')
  const ids = new Map(spans.map(({ name }) => [name, randomBytes(8).toString('hex')]))
  const nanosAt = (seconds: number) => `${startMs + Math.round(seconds * 1000)}000000`
  const body = {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: spans.map(({ name, startSeconds, endSeconds, attributes = {}, parent }) => ({
              traceId,
              spanId: ids.get(name),
              parentSpanId: parent && ids.get(parent),
              name,
              startTimeUnixNano: nanosAt(startSeconds),
              endTimeUnixNano: nanosAt(endSeconds),
              attributes: Object.entries({ accountSid: account, ...attributes }).map(([key, value]) => ({
                key,
                value: toAttributeValue(value),
              })),
            })),
          },
        ],
      },
    ],
  }
  const response = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the trace was refused: ${await response.text()}`)
  return traceId
}

export interface RecordedCall {
  account: string
  /** The recording's path in the API. */
  path: string
  /** The start of the call. */
  startedAt: Date
}

/** Adds a current call of a new account, with its recording and trace, through the ingest endpoints. */
export const addRecordedCall = async (
  server: TestServer,
  api: ApiClient,
  call_sid: string,
  audio: Buffer | ReadableStream,
  { spans = [], format = 'wav' }: { spans?: readonly SampleSpan[]; format?: 'wav' | 'mp3' } = {},
): Promise<RecordedCall> => {
  const provider = await findDefaultProviderSid(api)
  const account = await api.add('/Accounts', { name: `Account of ${call_sid}`, service_provider_sid: provider })
  const startMs = Date.now() - 60_000
  const path = `/Accounts/${account}/RecentCalls/${call_sid}/record/2026/11/22/${format}`
  const authorization = `Bearer ${server.apiKey}`
  const uploadResponse = await fetch(`${server.url}/v1${path}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': `audio/${format}` },
    body: audio as BodyInit,
    duplex: 'half',
  } as RequestInit)
  if (!uploadResponse.ok) throw new Error(`the recording was refused: ${await uploadResponse.text()}`)
  const trace_id = spans.length > 0 ? await sendTrace(server, account, startMs, spans) : '0'.repeat(32)
  const writeResponse = await fetch(`${server.url}/write?db=cdrs&precision=ms`, {
    method: 'POST',
    headers: { authorization },
    body:
      `cdrs,service_provider_sid=${provider},account_sid=${account},direction=inbound,answered=true ` +
      `call_sid="${call_sid}",sip_callid="${call_sid}@host",from="16175550192",to="18575550100",duration=20i,` +
      `trace_id="${trace_id}",recording_url="${path}" ${startMs}`,
  })
  if (!writeResponse.ok) throw new Error(`the call was refused: ${await writeResponse.text()}`)
  return { account, path, startedAt: new Date(startMs) }
}
