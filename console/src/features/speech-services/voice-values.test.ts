import { messages } from '@trunkline/contract/messages/speech-credential'
import { expect, it } from 'vitest'
import { voiceErrors } from './voice-values'

it.each([
  ['google', 1, 1, { voices: messages.voiceRequired }],
  ['google', 1, 0, {}],
  // the form hides custom voices here, so they must not block saving
  ['google', 0, 1, {}],
  ['deepgram', 1, 1, {}],
])(
  '%s with synthesis %d and custom voices %d, but no voice entered',
  (vendor, use_for_tts, use_custom_voices, errors) => {
    expect(voiceErrors({ vendor, use_for_tts, use_custom_voices, voices: [] })).toEqual(errors)
  },
)
