import { messages } from '@trunkline/contract/messages/speech-credential'
import { expect, it } from 'vitest'
import { voiceFaults } from './voice-values'

it.each([
  ['google', 1, 1, { voices: messages.oneVoice }],
  ['google', 1, 0, {}],
  // what cannot be seen in the form must not keep it from being saved
  ['google', 0, 1, {}],
  ['deepgram', 1, 1, {}],
])('%s with synthesis %d and own voices %d, none of them entered', (vendor, use_for_tts, use_custom_voices, faults) => {
  expect(voiceFaults({ vendor, use_for_tts, use_custom_voices, voices: [] })).toEqual(faults)
})
