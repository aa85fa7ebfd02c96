import { describe, expect, it } from 'vitest'
import { usesCredential, type SpeechSelection } from './uses-credential'

describe('usesCredential', () => {
  const google = { vendor: 'google', label: null, use_for_tts: 1, use_for_stt: 1 }
  it.each<[SpeechSelection, Partial<typeof google> | { label: string }, boolean]>([
    [{ speech_synthesis_vendor: 'google' }, {}, true],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: '' }, {}, true],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: 'eu' }, {}, false],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: 'eu' }, { label: 'eu' }, true],
    [{ speech_synthesis_vendor: 'google' }, { use_for_tts: 0 }, false],
    [{ speech_recognizer_vendor: 'google' }, { use_for_tts: 0 }, true],
    [{ fallback_speech_recognizer_vendor: 'google' }, {}, true],
    [{ speech_recognizer_vendor: 'aws' }, {}, false],
    [{}, {}, false],
  ])('of %j for a Google credential with %j is %s', (columns, parts, expected) => {
    expect(usesCredential(columns, { ...google, ...parts })).toBe(expected)
  })
})
