import { describe, expect, it } from 'vitest'
import { messages as general } from '../src/messages/general'
import { messages as limit } from '../src/messages/limit'
import { messages as recentCall } from '../src/messages/recent-call'
import { messages as recording } from '../src/messages/recording'

/**
 * The texts of the specification that are outside the catalogue, word for word. They are literals, so that a changed
 * message fails the test.
 */
describe('the messages that the specification fixes', () => {
  it('of failed requests are unchanged', () => {
    expect(general.failed).toBe('Something went wrong, please try again.')
  })

  it('of empty lists are unchanged', () => {
    expect(recentCall.none).toBe('No data.')
  })

  it('of limits are unchanged', () => {
    expect(limit.labels).toEqual({
      voice_call_session: 'Max calls',
      voice_call_session_license: 'Licensed calls',
      voice_call_minutes: 'Max minutes',
      voice_call_minutes_license: 'Licensed minutes',
    })
  })

  it('of recordings are unchanged', () => {
    expect(recording).toMatchObject({
      noWaveform: 'No waveform data',
      noImage: 'Could not export image',
      noAudio: 'No audio loaded',
      jumpLeft: 'Jump left',
      jumpRight: 'Jump right',
      latencies: 'Show latencies',
      download: 'Download record file',
      remove: 'Delete record file',
      removed: 'Successfully deleted record',
      kinds: {
        stt: 'Speech to text result',
        dtmf: 'Dtmf result',
        tts: 'Tts Latency',
        hook: 'Application Response Latency',
      },
    })
    expect(recording.confirmRemoval('{call_sid}')).toBe(
      'Are you sure you want to delete the record for call {call_sid}?',
    )
  })
})
