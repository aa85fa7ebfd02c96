import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type {
  SpeechCredential,
  SpeechCredentialChanges,
  SpeechCredentialDraft,
  SpeechTest,
} from '../shapes/speech-credential'
import type { Catalogue } from '../speech/catalogue'

/** The fields of a speech credential that are needed to choose one. */
export type SpeechCredentialName = Pick<
  SpeechCredential,
  'speech_credential_sid' | 'account_sid' | 'vendor' | 'label' | 'use_for_tts' | 'use_for_stt'
>

/** Speech credentials are addressed under their owner. `base` may have its SID filled in. */
export const speechCredentialsUnder = <const Base extends string>(base: Base) =>
  resource<SpeechCredential, SpeechCredentialDraft, SpeechCredentialChanges>()({
    kind: 'speech_credential',
    path: `${base}/SpeechCredentials` as const,
    key: 'speech_credential_sid',
    noun: { singular: 'speech service', plural: 'speech services' },
    title: (row) => row.vendor,
  })

/** An account's credentials and those that its provider shares. */
export const speechCredentialsOfAccount = speechCredentialsUnder('/Accounts/:account_sid')

/** The credentials that a provider shares. With `page`, a Trunkline addition, also those of its accounts. */
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

/**
 * With `label`: the catalogue of the credential with this vendor and label. With `create_new`: the vendor's catalogue
 * without a credential.
 */
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
