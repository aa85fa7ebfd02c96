import { route } from '../kit/route'

/** What of a custom voice of Google matters to who chooses one. */
export interface GoogleCustomVoiceName {
  google_custom_voice_sid: string
  name: string
}

export const googleCustomVoices = route<{
  query: { label?: string; account_sid?: string; service_provider_sid?: string; speech_credential_sid?: string }
  answer: GoogleCustomVoiceName[]
}>()('GET', '/GoogleCustomVoices', 'List custom voices of Google')
