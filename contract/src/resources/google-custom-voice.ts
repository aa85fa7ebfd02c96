import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { GoogleCustomVoice, GoogleCustomVoiceChanges, GoogleCustomVoiceDraft } from '../shapes/google-custom-voice'

/** A voice that Google made for somebody: known to the credential with which it was made. */
export const googleCustomVoice = resource<GoogleCustomVoice, GoogleCustomVoiceDraft, GoogleCustomVoiceChanges>()({
  kind: 'google_custom_voice',
  path: '/GoogleCustomVoices',
  key: 'google_custom_voice_sid',
  noun: { singular: 'custom voice', plural: 'custom voices' },
  title: (row) => row.name,
})

/** Those of a credential; or of a tenant, all of them or those of the credential of this label. */
export const googleCustomVoices = route<{
  query: { label?: string; account_sid?: string; service_provider_sid?: string; speech_credential_sid?: string }
  response: GoogleCustomVoice[]
}>()('GET', '/GoogleCustomVoices', 'List custom voices')

/** The key of a cloned voice, as a file: one part named `file` of a form. */
export const voiceCloningKey = route<{ body: FormData }>()(
  'POST',
  '/GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
  'Give a custom voice the key of a cloned voice',
  { status: 204 },
)
