import { messages } from '@trunkline/contract/messages/speech-credential'
import type { GoogleCustomVoice, GoogleCustomVoiceDraft } from '@trunkline/contract/shapes/google-custom-voice'
import { defaultUsage } from '@trunkline/contract/speech/custom-voice'
import { hasCustomVoices } from '@trunkline/contract/speech/selection'
import type { Faults } from '../../kit/form'

/** A custom voice in the form. A type, not an interface: the form library asks for an index. */
export type VoiceValues = {
  /** Tells rows apart: the sid of a saved voice, another mark until then. */
  id: string
  saved: boolean
  name: string
  reported_usage: string
  model: string
  use_voice_cloning_key: number
  /** The text of a file that is to be uploaded; '' for none. */
  key: string
  /** The beginning of the key that is saved. */
  saved_key: string
}

export const blankVoice = (): VoiceValues => ({
  id: crypto.randomUUID(),
  saved: false,
  name: '',
  reported_usage: defaultUsage,
  model: '',
  use_voice_cloning_key: 0,
  key: '',
  saved_key: '',
})

export const voiceValues = (voice: GoogleCustomVoice): VoiceValues => ({
  id: voice.google_custom_voice_sid,
  saved: true,
  name: voice.name,
  reported_usage: voice.reported_usage ?? defaultUsage,
  model: voice.model,
  use_voice_cloning_key: Number(Boolean(voice.use_voice_cloning_key)),
  key: '',
  saved_key: voice.voice_cloning_key ?? '',
})

/** What travels of a voice; its key has a call of its own. */
export const voiceBody = ({ name, reported_usage, model, use_voice_cloning_key }: VoiceValues) => ({
  name: name.trim(),
  reported_usage: reported_usage as GoogleCustomVoiceDraft['reported_usage'],
  model: use_voice_cloning_key ? '' : model.trim(),
  use_voice_cloning_key: use_voice_cloning_key === 1,
})

interface VoiceUse {
  vendor: string
  use_for_tts: number
  use_custom_voices: number
}

/** Can a service have voices of its own? */
export const hasVoices = ({ vendor, use_for_tts }: Pick<VoiceUse, 'vendor' | 'use_for_tts'>): boolean =>
  hasCustomVoices(vendor) && use_for_tts === 1

/** The voices of a service are used, and so there must be one. */
export const voiceFaults = ({ voices, ...values }: VoiceUse & { voices: VoiceValues[] }): Faults =>
  hasVoices(values) && values.use_custom_voices && voices.length === 0 ? { voices: messages.oneVoice } : {}
