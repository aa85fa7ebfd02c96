export const messages = {
  title: 'Recording',
  loading: 'Loading the recording',
  none: 'No recording of this call is stored. It has not arrived yet, or it was deleted.',
  invalid: 'The recording URL of this call is not valid, so the recording cannot be opened.',
  ambiguous: 'Several accounts have a recording of a call with this SID. Use the path with /Accounts/{account_sid}.',
  otherServer:
    'The recording is not on this server. It is in the DATA_DIR of another server that uses the same database, or its file was deleted.',
  checkAgain: 'Check again',
  notAllowed: (origin: string) =>
    `No waveform: the recording is on another server, and RECORDING_ORIGINS does not include ${origin}.`,
  notReadable: (host: string) =>
    `No waveform: the recording is on another server, and ${host} does not allow the console to read it (CORS).`,
  open: 'Open record file',
  noWaveform: 'No waveform data',
  noImage: 'Could not export image',
  noAudio: 'No audio loaded',
  jumpLeft: 'Jump left',
  jumpRight: 'Jump right',
  position: 'Position',
  timeOfLength: (time: string, length: string) => `${time} of ${length}`,
  speed: 'Speed',
  wholeCall: 'Fit whole call',
  latencies: 'Show latencies',
  noLatencies: 'No latencies were recorded for this call.',
  download: 'Download record file',
  image: 'Download waveform as image',
  remove: 'Delete record file',
  channels: 'Channels',
  caller: 'Caller',
  callee: 'Callee',
  speaks: 'speaks',
  events: 'Events',
  /** For screen readers: a mark on the waveform with its position. */
  eventLabel: (title: string, time: string, detail: string) => `${title} at ${time}${detail ? `, ${detail}` : ''}`,
  kinds: {
    stt: 'Speech to text result',
    dtmf: 'Dtmf result',
    tts: 'Tts Latency',
    hook: 'Application Response Latency',
  },
  removed: 'Successfully deleted record',
  confirmRemoval: (call_sid: string) => `Are you sure you want to delete the record for call ${call_sid}?`,
} as const

/** Error messages for voice servers that upload recordings. */
export const ingest = {
  tooLarge: (mebibytes: number) => `A recording must not exceed ${mebibytes} MiB.`,
  unsupported: 'Send the recording as audio/wav or audio/mpeg.',
  notAudio: (format: string) => `The file is not valid ${format}.`,
  formatMismatch: 'The file extension in the URL does not match the Content-Type.',
  exists: 'This call already has a recording.',
  bucketUnavailable: (reason: string) =>
    `The recording was not stored, because the bucket of the account cannot be read: ${reason}`,
  incomplete: 'The upload ended before the recording was complete.',
  firstMessage: 'The first message must be JSON with sampleRate, accountSid and callSid.',
  foreignAccount: 'This key is not allowed to write for this account.',
  unknownAccount: 'The account does not exist.',
  alreadyReceiving: 'A recording of this call is already being received.',
  quota: (size: string) =>
    `The account has reached its limit of ${size} of recordings on this server. Delete recordings, or set up a storage bucket for the account.`,
  futureDate: 'The date in the URL is in the future.',
  firstMessageTimeout: 'The first message did not arrive in time.',
} as const
