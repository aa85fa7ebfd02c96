import { describe, expect, it } from 'vitest'
import { swapPrimaryAndFallback, type SpeechColumns } from './speech-columns'

describe('swapPrimaryAndFallback', () => {
  const columns: SpeechColumns = {
    speech_synthesis_vendor: 'google',
    speech_synthesis_label: null,
    speech_synthesis_language: 'en-US',
    speech_synthesis_voice: 'a',
    speech_recognizer_vendor: 'google',
    speech_recognizer_label: 'one',
    speech_recognizer_language: 'en-US',
    fallback_speech_synthesis_vendor: 'aws',
    fallback_speech_synthesis_label: 'two',
    fallback_speech_synthesis_language: 'de-DE',
    fallback_speech_synthesis_voice: 'b',
    fallback_speech_recognizer_vendor: null,
    fallback_speech_recognizer_label: null,
    fallback_speech_recognizer_language: null,
  }

  it('swaps settings that have a fallback, and leaves the others', () => {
    const swapped = swapPrimaryAndFallback(columns)
    expect(swapped).toEqual({
      ...columns,
      speech_synthesis_vendor: 'aws',
      speech_synthesis_label: 'two',
      speech_synthesis_language: 'de-DE',
      speech_synthesis_voice: 'b',
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_label: null,
      fallback_speech_synthesis_language: 'en-US',
      fallback_speech_synthesis_voice: 'a',
    })
    expect(swapPrimaryAndFallback(swapped)).toEqual(columns)
  })
})
