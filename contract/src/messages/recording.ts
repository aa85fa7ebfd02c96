export const messages = {
  title: 'Recording',
  loading: 'Loading the recording',
  none: 'There is no recording of this call: it has not come in yet, or it has been deleted.',
  invalid:
    'The recording address of this call is not valid: it is neither a recording of this call nor a web address. It is not opened.',
  ambiguous: 'Several accounts have a recording of a call with this SID. Delete it at the address of its account.',
  otherServer:
    'The recording is not on this server. It is in the DATA_DIR of another server on the same database, or its file was removed.',
  again: 'Look again',
  notAllowed: (origin: string) =>
    `There is no waveform: the recording is on another server, and RECORDING_ORIGINS does not include ${origin}.`,
  notReadable: (host: string) =>
    `There is no waveform: the recording is on another server, and ${host} does not let this page read it.`,
  open: 'Open record file',
  noWaveform: 'No waveform data',
  noImage: 'Could not export image',
  noAudio: 'No audio loaded',
  jumpLeft: 'Jump left',
  jumpRight: 'Jump right',
  position: 'Position',
  at: (time: string, length: string) => `${time} of ${length}`,
  speed: 'Speed',
  wholeCall: 'Whole call',
  latencies: 'Show latencies',
  noLatencies: 'No latency is known of this call.',
  download: 'Download record file',
  image: 'Download waveform as image',
  remove: 'Delete record file',
  channels: 'Channels',
  caller: 'Caller',
  called: 'Called',
  speaks: 'speaks',
  marks: 'What happened',
  /** For screen readers: a mark on the waveform with its position. */
  mark: (title: string, time: string, what: string) => `${title} at ${time}${what ? `, ${what}` : ''}`,
  kinds: {
    stt: 'Speech to text result',
    dtmf: 'Dtmf result',
    tts: 'Tts Latency',
    hook: 'Application Response Latency',
  },
  removed: 'Successfully deleted record',
  question: (call_sid: string) => `Are you sure you want to delete the record for call ${call_sid}?`,
} as const

/** Error messages for voice servers that upload recordings. */
export const ingest = {
  tooLarge: (mebibytes: number) => `A recording may have ${mebibytes} MiB at most.`,
  unsupported: 'Send the recording as audio/wav or audio/mpeg.',
  notAudio: (format: string) => `This is no ${format} file.`,
  otherFormat: 'The address names another format than the one that is sent.',
  exists: 'There is a recording of this call already.',
  cut: 'The recording did not come whole.',
  firstMessage: 'The first message must be JSON with sampleRate, accountSid and callSid.',
  foreign: 'This key may not write for that account.',
  noAccount: 'There is no such account.',
  underway: 'This call is being recorded already.',
  quota: (size: string) =>
    `The account keeps ${size} of recordings on this server and may not keep more. Delete recordings, or give the account a bucket.`,
  future: 'The day in the address is in the future.',
  noFirstMessage: 'The first message did not come in time.',
} as const
