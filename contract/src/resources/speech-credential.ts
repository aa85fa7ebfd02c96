import { route } from '../kit/route'
import type { Catalogue } from '../speech/catalogue'

/** What of a speech credential matters to who chooses one: nothing of it is secret. */
export interface SpeechCredentialName {
  speech_credential_sid: string
  /** null: its provider keeps it for all accounts. */
  account_sid: string | null
  vendor: string
  label: string | null
  use_for_tts: number
  use_for_stt: number
}

export const speechCredentialsOfAccount = route<{ answer: SpeechCredentialName[] }>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials',
  'List the speech credentials that an account may use',
)

export const speechCredentialsOfProvider = route<{ answer: SpeechCredentialName[] }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials',
  'List the speech credentials that a service provider keeps for all its accounts',
)

/** With a label: what the credential of this vendor and label may use. */
type Look = { query: { vendor: string; label?: string }; answer: Catalogue }

export const speechCatalogueOfAccount = route<Look>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)

export const speechCatalogueOfProvider = route<Look>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)
