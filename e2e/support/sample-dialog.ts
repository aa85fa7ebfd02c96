import { generateCallAudio, buildWavHeader, type SampleSpan } from './recorded-call'

/**
 * A caller books a table. The platform speaks for two seconds, the caller from second 3 to 6, the platform again from
 * second 8.
 */
const audio = generateCallAudio(20, [[3, 6]], [[0, 2], [8, 12]]) // prettier-ignore
/** The recording as a WAV file. */
export const sampleRecording = Buffer.concat([buildWavHeader(audio.length), audio])

/** The trace: the call starts a second before the recording. */
export const sampleSpans: SampleSpan[] = [
  { name: 'incoming-call', startSeconds: 0, endSeconds: 21 },
  { name: 'background-record:listen', startSeconds: 1, endSeconds: 21, parent: 'incoming-call' },
  {
    name: 'verb:gather{inputs=speech}',
    startSeconds: 3.5,
    endSeconds: 7.8,
    parent: 'incoming-call',
    attributes: {
      'stt.resolve': 'speech',
      'stt.result': JSON.stringify({
        vendor: { name: 'microsoft' },
        language_code: 'en-US',
        alternatives: [{ transcript: 'Hello, a table for two', confidence: 0.93 }],
      }),
    },
  },
  {
    name: 'verb:hook',
    startSeconds: 7.4,
    endSeconds: 7.8,
    parent: 'verb:gather{inputs=speech}',
    attributes: { 'http.statusCode': 200, 'http.body': JSON.stringify({ reason: 'speechDetected' }) },
  },
  {
    name: 'tts-generation',
    startSeconds: 8.2,
    endSeconds: 9,
    parent: 'incoming-call',
    attributes: { 'tts.vendor': 'google', 'tts.cached': false, time_to_first_byte_ms: 320 },
  },
  {
    name: 'dtmf:4',
    startSeconds: 14,
    endSeconds: 14,
    parent: 'incoming-call',
    attributes: { dtmf: '4', duration: '140ms' },
  },
]
