import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type {
  SpeechCredential,
  SpeechCredentialChanges,
  SpeechCredentialDraft,
  SpeechTest,
} from '../shapes/speech-credential'
import type { Catalogue } from '../speech/catalogue'

/** What of a speech credential matters to who chooses one. */
export type SpeechCredentialName = Pick<
  SpeechCredential,
  'speech_credential_sid' | 'account_sid' | 'vendor' | 'label' | 'use_for_tts' | 'use_for_stt'
>

/** Speech credentials lie below whoever uses them. A base that is filled in already is one tenant's. */
export const speechCredentialsUnder = <const Base extends string>(base: Base) =>
  resource<SpeechCredential, SpeechCredentialDraft, SpeechCredentialChanges>()({
    kind: 'speech_credential',
    path: `${base}/SpeechCredentials` as const,
    key: 'speech_credential_sid',
    noun: { singular: 'speech service', plural: 'speech services' },
    title: (row) => row.vendor,
  })

/** An account's own, and those that its provider keeps for all its accounts. */
export const speechCredentialsOfAccount = speechCredentialsUnder('/Accounts/:account_sid')

/** Those that a provider keeps for all its accounts; with `page`, which is ours, those of its accounts too. */
export const speechCredentialsOfProvider = speechCredentialsUnder('/ServiceProviders/:service_provider_sid')

type Test = { response: SpeechTest }

export const speechTestOfAccount = route<Test>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials/:speech_credential_sid/test',
  'Try a speech credential of an account at its vendor',
)

export const speechTestOfProvider = route<Test>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials/:speech_credential_sid/test',
  'Try a speech credential of a service provider at its vendor',
)

/** With a label: what the credential of this vendor and label may use. `create_new`: what the vendor has, without any. */
type CatalogueRoute = { query: { vendor: string; label?: string; create_new?: boolean }; response: Catalogue }

export const speechCatalogueOfAccount = route<CatalogueRoute>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)

export const speechCatalogueOfProvider = route<CatalogueRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)
