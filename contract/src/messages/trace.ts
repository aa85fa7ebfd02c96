const spans = (count: number) => `${count.toLocaleString('en-US')} span${count === 1 ? '' : 's'}`

export const messages = {
  spans,
  found: (found: number, all: number) => `${found.toLocaleString('en-US')} of ${spans(all)}`,
  nothingFound: 'No span has this text.',
  none: 'There is no trace of this call: its spans have not come in yet, or they have been deleted.',
  notTraced: 'This call was not traced.',
  /** For servers that may not support tracing: their response does not tell the two cases apart. */
  notProvided: 'This server has no trace of this call. It may not collect traces.',
  again: 'Look again',
  choose: 'Choose a span to see what is known of it.',
  noAttributes: 'Nothing else is known of it.',
  kinds: {
    call: 'Call',
    verb: 'Verb',
    stt: 'Speech to text',
    tts: 'Text to speech',
    hook: 'Webhook',
    dtmf: 'DTMF',
    rec: 'Recording',
  },
  critical: 'Critical path',
  criticalHelp: 'What the call was waiting for at each moment',
  /** The total time that a span is on the critical path. */
  waited: (duration: string) => `${duration} on the critical path`,
  window: (from: string, to: string) => `${from} to ${to} shown`,
} as const

/** Error messages for voice servers that send spans. */
export const ingest = {
  noProtobuf: 'This is no trace in protobuf',
  noJson: 'This is no trace in JSON',
  unsupported: 'Send application/x-protobuf or application/json',
  tooLarge: 'Send fewer spans at once',
  notPacked: (coding: string) => `The body is no ${coding}`,
  elsewhere: 'Traces are kept by a Jaeger here: send them there',
  badIds: 'a span needs a trace ID of 16 bytes and a span ID of 8 bytes that are not zero',
  foreign: 'the key may not write for the account that a span names',
} as const
