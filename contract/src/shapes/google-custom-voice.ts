import * as z from 'zod'
import { bit, flag, name, text } from '../kit/fields'
import { reportedUsages } from '../speech/custom-voice'

export const googleCustomVoiceSchema = z.object({
  google_custom_voice_sid: z.string(),
  speech_credential_sid: z.string(),
  name: z.string(),
  model: z.string(),
  reported_usage: z.string().nullable(),
  use_voice_cloning_key: bit().nullable(),
  /** Shortened in lists; absent if there is none. */
  voice_cloning_key: z.string().optional(),
})

const usage = z.enum(reportedUsages.map(({ value }) => value))

export const googleCustomVoiceDraftSchema = z.strictObject({
  google_custom_voice_sid: z.unknown().optional(),
  speech_credential_sid: z.string('missing speech_credential_sid'),
  name: name(64, 'missing field name'),
  model: text(512).trim(),
  reported_usage: usage.nullish(),
  use_voice_cloning_key: flag().nullish(),
  /** Ignored: the key is long and is uploaded in a request of its own. */
  voice_cloning_key: z.unknown().optional(),
})

export const googleCustomVoiceChangesSchema = googleCustomVoiceDraftSchema
  .partial()
  .omit({ google_custom_voice_sid: true })

export type GoogleCustomVoice = z.output<typeof googleCustomVoiceSchema>
export type GoogleCustomVoiceDraft = z.input<typeof googleCustomVoiceDraftSchema>
export type GoogleCustomVoiceChanges = z.input<typeof googleCustomVoiceChangesSchema>
