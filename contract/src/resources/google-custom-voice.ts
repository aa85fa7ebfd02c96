import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { GoogleCustomVoice, GoogleCustomVoiceChanges, GoogleCustomVoiceDraft } from '../shapes/google-custom-voice'

/** A voice that Google trained for a customer. Only the credential that created it can use it. */
export const googleCustomVoice = defineResource<GoogleCustomVoice, GoogleCustomVoiceDraft, GoogleCustomVoiceChanges>()({
  kind: 'google_custom_voice',
  path: '/GoogleCustomVoices',
  key: 'google_custom_voice_sid',
  noun: { singular: 'custom voice', plural: 'custom voices' },
  title: (row) => row.name,
})

/**
 * Lists the voices of one credential or of a tenant. With `label`, only of the tenant's credentials with this label.
 */
export const googleCustomVoices = defineRoute<{
  query: { label?: string; account_sid?: string; service_provider_sid?: string; speech_credential_sid?: string }
  response: GoogleCustomVoice[]
}>()('GET', '/GoogleCustomVoices', 'List custom voices')

/** Uploads a voice cloning key as the part `file` of a multipart form. */
export const voiceCloningKey = defineRoute<{ body: FormData }>()(
  'POST',
  '/GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
  'Set the cloned voice key of a custom voice',
  { status: 204 },
)
