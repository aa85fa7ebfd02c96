import type { Call } from './calls'
import type { SeededRandom } from './seeded-random'

/** One turn of a conversation: the speaker, the text and its time. */
export interface Turn {
  speaker: 'caller' | 'machine'
  /** Seconds after the answer. */
  fromSeconds: number
  toSeconds: number
  text: string
}

const machineTexts = [
  'Thank you for calling. How can I help you today?',
  'Of course. May I have your name, please?',
  'Thank you. Which day would suit you?',
  'I have an opening at half past ten. Shall I book it?',
  'You are booked. You will get a message with the details.',
  'Is there anything else that I can do for you?',
  'Thank you for your call. Good bye.',
]
const callerTexts = [
  'Hello, I would like to make an appointment.',
  'My name is Robin Alder.',
  'Thursday would be best, in the morning.',
  'Yes, that is fine.',
  'Great, thank you.',
  'No, that was all.',
]

/** Returns the duration of a text when spoken, in seconds. */
const estimateSpeechSeconds = (text: string) => Math.max(0.9, text.length * 0.065)

/** Returns a conversation that fits into this many seconds. */
export const generateTurns = (random: SeededRandom, seconds: number): Turn[] => {
  const turns: Turn[] = []
  let startSeconds = 0.4
  for (let round = 0; round < machineTexts.length; round += 1) {
    for (const [speaker, text] of [
      ['machine', machineTexts[round]],
      ['caller', callerTexts[round]],
    ] as const) {
      if (!text) continue
      const endSeconds = startSeconds + estimateSpeechSeconds(text)
      if (endSeconds > seconds - 0.5) return turns
      turns.push({ speaker, fromSeconds: startSeconds, toSeconds: endSeconds, text })
      startSeconds = endSeconds + 0.45 + random.next() * 0.8
    }
  }
  return turns
}

type Value = string | number | boolean

const attributesOf = (values: Record<string, Value>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { doubleValue: value },
  }))

/** Adds a span and returns its ID. Its times are seconds after the start of the call. */
type AddSpan = (
  name: string,
  fromSeconds: number,
  toSeconds: number,
  values: Record<string, Value>,
  parentSpanId?: string,
) => string

/** Adds the spans of one turn of the conversation: speech synthesis of the machine, or recognition of the caller. */
const addTurnSpans = (
  random: SeededRandom,
  addSpan: AddSpan,
  turn: Turn & { index: number; answeredSeconds: number; callSid: string },
) => {
  const [from, to] = [turn.answeredSeconds + turn.fromSeconds, turn.answeredSeconds + turn.toSeconds]
  if (turn.speaker === 'machine') {
    const saySpanId = addSpan(`verb:say{text=${turn.text.slice(0, 14)}...}`, from - 0.3, to, {})
    const isCached = turn.index > 0 && random.chance(0.4)
    const ttsSeconds = isCached ? 0.003 : 0.12 + random.next() * 0.2
    addSpan(
      'tts-generation',
      from - 0.3,
      from - 0.3 + ttsSeconds,
      {
        'tts.vendor': 'microsoft',
        'tts.voice': 'en-US-JennyNeural',
        'tts.cached': isCached,
        time_to_first_byte_ms: Math.round(ttsSeconds * 600),
      },
      saySpanId,
    )
    return
  }
  const recognizedSeconds = to + 0.15 + random.next() * 0.3
  const gatherSpanId = addSpan(
    'verb:gather{inputs=speech,vendor=microsoft,language=en-US}',
    from - 0.4,
    recognizedSeconds,
    {
      'stt.resolve': 'speech',
      'stt.latency_ms': Math.round((recognizedSeconds - to) * 1000),
      'stt.result': JSON.stringify({
        vendor: { name: 'microsoft' },
        language_code: 'en-US',
        channel_tag: 1,
        is_final: true,
        alternatives: [{ transcript: turn.text, confidence: Math.round((0.86 + random.next() * 0.13) * 100) / 100 }],
      }),
    },
  )
  addSpan(
    'verb:hook (gather)',
    recognizedSeconds,
    recognizedSeconds + 0.02 + random.next() * 0.08,
    { 'http.statusCode': 200, 'http.body': JSON.stringify({ call_sid: turn.callSid, reason: 'speechDetected' }) },
    gatherSpanId,
  )
}

/** Creates the trace of an answered call in OpenTelemetry's JSON format. */
export const generateTrace = (
  random: SeededRandom,
  call: Call,
  turns: readonly Turn[],
  isRecorded: boolean,
): object => {
  const start = BigInt(call.startedAtMs) * 1_000_000n
  const nanosAt = (seconds: number) => String(start + BigInt(Math.round(seconds * 1e9)))
  const rootSpanId = random.hex(16)
  const spans: object[] = []
  const addSpan: AddSpan = (name, fromSeconds, toSeconds, values, parentSpanId = rootSpanId) => {
    const spanId = random.hex(16)
    spans.push({
      traceId: call.trace_id,
      spanId,
      parentSpanId,
      name,
      kind: 1,
      startTimeUnixNano: nanosAt(fromSeconds),
      endTimeUnixNano: nanosAt(toSeconds),
      attributes: attributesOf(values),
    })
    return spanId
  }
  const endSeconds = call.ringSeconds + call.durationSeconds
  const { call_sid: callSid, account_sid: accountSid } = call
  spans.push({
    traceId: call.trace_id,
    spanId: rootSpanId,
    name: `${call.direction === 'inbound' ? 'incoming' : 'outgoing'}-call`,
    kind: 1,
    startTimeUnixNano: nanosAt(0),
    endTimeUnixNano: nanosAt(endSeconds),
    attributes: attributesOf({ callSid, accountSid, callId: call.sip_callid, finalStatus: call.status }),
  })
  addSpan('lookupAccountDetails', 0.002, 0.014, {})
  addSpan('lookupApplication', 0.015, 0.019, call.application_sid ? { application_sid: call.application_sid } : {})
  addSpan('performAppWebhook', 0.02, 0.02 + 0.03 + random.next() * 0.2, { 'http.statusCode': 200 })
  const answeredSeconds = call.ringSeconds
  if (isRecorded) addSpan('background-record:listen', answeredSeconds, endSeconds, {})
  for (const [index, turn] of turns.entries())
    addTurnSpans(random, addSpan, { ...turn, index, answeredSeconds, callSid })
  return { scopeSpans: [{ scope: { name: 'voice-server' }, spans }] }
}
