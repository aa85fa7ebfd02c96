import { messages } from '@trunkline/contract/messages/speech-credential'
import type { GoogleCustomVoice, GoogleCustomVoiceDraft } from '@trunkline/contract/shapes/google-custom-voice'
import { defaultUsage } from '@trunkline/contract/speech/custom-voice'
import { hasCustomVoices } from '@trunkline/contract/speech/vendors'
import type { FieldErrors } from '../../kit/form/form'

/** The form values of a custom voice. A type, not an interface: the form library requires an index signature. */
export type VoiceValues = {
  /** Identifies the row: the SID of a stored voice, otherwise a random id. */
  id: string
  isStored: boolean
  name: string
  reported_usage: string
  model: string
  use_voice_cloning_key: number
  /** The content of a file to upload; '' for none. */
  key: string
  /** The first characters of the stored key. */
  saved_key: string
}

export const createEmptyVoice = (): VoiceValues => ({
  id: crypto.randomUUID(),
  isStored: false,
  name: '',
  reported_usage: defaultUsage,
  model: '',
  use_voice_cloning_key: 0,
  key: '',
  saved_key: '',
})

export const toVoiceValues = (voice: GoogleCustomVoice): VoiceValues => ({
  id: voice.google_custom_voice_sid,
  isStored: true,
  name: voice.name,
  reported_usage: voice.reported_usage ?? defaultUsage,
  model: voice.model,
  use_voice_cloning_key: Number(Boolean(voice.use_voice_cloning_key)),
  key: '',
  saved_key: voice.voice_cloning_key ?? '',
})

/** The body of a voice. Its key has a separate request. */
export const toVoiceBody = ({ name, reported_usage, model, use_voice_cloning_key }: VoiceValues) => ({
  name: name.trim(),
  reported_usage: reported_usage as GoogleCustomVoiceDraft['reported_usage'],
  model: use_voice_cloning_key ? '' : model.trim(),
  use_voice_cloning_key: use_voice_cloning_key === 1,
})

interface VoiceSettings {
  vendor: string
  use_for_tts: number
  use_custom_voices: number
}

/** Returns whether a service can have custom voices: its vendor supports them, and it is used for synthesis. */
export const supportsVoices = ({ vendor, use_for_tts }: Pick<VoiceSettings, 'vendor' | 'use_for_tts'>): boolean =>
  hasCustomVoices(vendor) && use_for_tts === 1

/** Returns an error if custom voices are enabled and the form contains none. */
export const findVoiceErrors = ({ voices, ...values }: VoiceSettings & { voices: VoiceValues[] }): FieldErrors =>
  supportsVoices(values) && values.use_custom_voices && voices.length === 0 ? { voices: messages.voiceRequired } : {}
