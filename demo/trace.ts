import type { Call } from './calls'
import type { SeededRandom } from './seeded-random'

/** One turn of a conversation: the speaker, the text and its time. */
export interface Turn {
  who: 'caller' | 'machine'
  /** Seconds after the answer. */
  from: number
  to: number
  said: string
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
const speechSeconds = (said: string) => Math.max(0.9, said.length * 0.065)

/** Returns a conversation that fits into this many seconds. */
export const turnsOf = (chance: SeededRandom, seconds: number): Turn[] => {
  const turns: Turn[] = []
  let at = 0.4
  for (let round = 0; round < machineTexts.length; round += 1) {
    for (const [who, said] of [
      ['machine', machineTexts[round]],
      ['caller', callerTexts[round]],
    ] as const) {
      if (!said) continue
      const to = at + speechSeconds(said)
      if (to > seconds - 0.5) return turns
      turns.push({ who, from: at, to, said })
      at = to + 0.45 + chance.next() * 0.8
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

/** The trace of an answered call in OpenTelemetry's JSON format. `recorded`: the call has a recording. */
export const traceOf = (chance: SeededRandom, call: Call, turns: readonly Turn[], isRecorded: boolean): object => {
  const start = BigInt(call.at) * 1_000_000n
  const nanosAt = (seconds: number) => String(start + BigInt(Math.round(seconds * 1e9)))
  const root = chance.hex(16)
  const spans: object[] = []
  /** Seconds after the start of the call. */
  const add = (name: string, from: number, to: number, values: Record<string, Value>, parentSpanId = root) => {
    const spanId = chance.hex(16)
    spans.push({
      traceId: call.trace_id,
      spanId,
      parentSpanId,
      name,
      kind: 1,
      startTimeUnixNano: nanosAt(from),
      endTimeUnixNano: nanosAt(to),
      attributes: attributesOf(values),
    })
    return spanId
  }
  const end = call.ring + call.duration
  const { call_sid: callSid, account_sid: accountSid } = call
  spans.push({
    traceId: call.trace_id,
    spanId: root,
    name: `${call.direction === 'inbound' ? 'incoming' : 'outgoing'}-call`,
    kind: 1,
    startTimeUnixNano: nanosAt(0),
    endTimeUnixNano: nanosAt(end),
    attributes: attributesOf({ callSid, accountSid, callId: call.sip_callid, finalStatus: call.status }),
  })
  add('lookupAccountDetails', 0.002, 0.014, {})
  add('lookupApplication', 0.015, 0.019, call.application_sid ? { application_sid: call.application_sid } : {})
  add('performAppWebhook', 0.02, 0.02 + 0.03 + chance.next() * 0.2, { 'http.statusCode': 200 })
  const answeredAt = call.ring
  if (isRecorded) add('background-record:listen', answeredAt, end, {})
  for (const [at, turn] of turns.entries()) {
    const [from, to] = [answeredAt + turn.from, answeredAt + turn.to]
    if (turn.who === 'machine') {
      const say = add(`verb:say{text=${turn.said.slice(0, 14)}...}`, from - 0.3, to, {})
      const isCached = at > 0 && chance.percent(40)
      const ttsSeconds = isCached ? 0.003 : 0.12 + chance.next() * 0.2
      add(
        'tts-generation',
        from - 0.3,
        from - 0.3 + ttsSeconds,
        {
          'tts.vendor': 'microsoft',
          'tts.voice': 'en-US-JennyNeural',
          'tts.cached': isCached,
          time_to_first_byte_ms: Math.round(ttsSeconds * 600),
        },
        say,
      )
      continue
    }
    const recognizedAt = to + 0.15 + chance.next() * 0.3
    const gather = add('verb:gather{inputs=speech,vendor=microsoft,language=en-US}', from - 0.4, recognizedAt, {
      'stt.resolve': 'speech',
      'stt.latency_ms': Math.round((recognizedAt - to) * 1000),
      'stt.result': JSON.stringify({
        vendor: { name: 'microsoft' },
        language_code: 'en-US',
        channel_tag: 1,
        is_final: true,
        alternatives: [{ transcript: turn.said, confidence: Math.round((0.86 + chance.next() * 0.13) * 100) / 100 }],
      }),
    })
    add(
      'verb:hook (gather)',
      recognizedAt,
      recognizedAt + 0.02 + chance.next() * 0.08,
      { 'http.statusCode': 200, 'http.body': JSON.stringify({ call_sid: callSid, reason: 'speechDetected' }) },
      gather,
    )
  }
  return { scopeSpans: [{ scope: { name: 'voice-server' }, spans }] }
}
