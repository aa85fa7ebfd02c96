const spanCount = (count: number) => `${count.toLocaleString('en-US')} span${count === 1 ? '' : 's'}`

export const messages = {
  spanCount,
  matchCount: (matches: number, total: number) => `${matches.toLocaleString('en-US')} of ${spanCount(total)}`,
  nothingFound: 'No spans contain this text.',
  none: 'No trace of this call is stored. Its spans have not arrived yet, or they were deleted.',
  noneYet: 'No spans yet. Voice servers send the spans of a call as they end.',
  notTraced: 'This call was not traced.',
  /** For servers that may not support tracing: their response does not show whether they lack the feature or the trace. */
  notProvided: 'This server has no trace for this call. It might not collect traces.',
  checkAgain: 'Check again',
  closeDetails: 'Close the details of the span',
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
  criticalTime: (duration: string) => `${duration} on the critical path`,
  shownRange: (from: string, to: string) => `Showing ${from} to ${to}`,
} as const

/** Error messages for voice servers that send spans. */
export const ingest = {
  invalidProtobuf: 'The body is not an OTLP trace in protobuf',
  invalidJson: 'The body is not an OTLP trace in JSON',
  unsupported: 'Send application/x-protobuf or application/json',
  tooLarge: 'The request is too large: send fewer spans per request',
  invalidEncoding: (coding: string) => `The body is not ${coding}`,
  readsFromJaeger: 'This server reads traces from Jaeger: send them to Jaeger',
  invalidIds: 'a span needs a trace ID of 16 bytes and a span ID of 8 bytes that are not zero',
  foreignAccount: 'the key is not allowed to write for the account of a span',
} as const
