import { messages } from '@trunkline/contract/messages/speech-credential'
import { expect, it } from 'vitest'
import { findVoiceErrors } from './voice-values'

const settings = { vendor: 'google', use_for_tts: 1, use_custom_voices: 1, voices: [] }

it('requires a voice if custom voices are enabled', () => {
  expect(findVoiceErrors(settings)).toEqual({ voices: messages.voiceRequired })
})

it.each([
  ['custom voices are disabled', { use_custom_voices: 0 }],
  ['the service is not used for synthesis, so the form hides custom voices', { use_for_tts: 0 }],
  ['the vendor has no custom voices', { vendor: 'deepgram' }],
])('requires no voice if %s', (_, changes) => {
  expect(findVoiceErrors({ ...settings, ...changes })).toEqual({})
})
