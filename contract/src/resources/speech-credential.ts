import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
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
export const defineSpeechCredentials = <const Base extends string>(base: Base) =>
  defineResource<SpeechCredential, SpeechCredentialDraft, SpeechCredentialChanges>()({
    kind: 'speech_credential',
    path: `${base}/SpeechCredentials` as const,
    key: 'speech_credential_sid',
    noun: { singular: 'speech service', plural: 'speech services' },
    title: (row) => row.vendor,
  })

/** An account's credentials and those that its provider shares. */
export const speechCredentialsOfAccount = defineSpeechCredentials('/Accounts/:account_sid')

/** The credentials that a provider shares. With `page`, a Trunkline addition, also those of its accounts. */
export const speechCredentialsOfProvider = defineSpeechCredentials('/ServiceProviders/:service_provider_sid')

type TestRoute = { response: SpeechTest }

export const speechTestOfAccount = defineRoute<TestRoute>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials/:speech_credential_sid/test',
  'Test a speech credential of an account',
)

export const speechTestOfProvider = defineRoute<TestRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials/:speech_credential_sid/test',
  'Test a speech credential of a service provider',
)

/**
 * With `label`: the catalogue of the credential with this vendor and label. With `create_new`: the vendor's catalogue
 * without a credential.
 */
type CatalogueRoute = { query: { vendor: string; label?: string; create_new?: boolean }; response: Catalogue }

export const speechCatalogueOfAccount = defineRoute<CatalogueRoute>()(
  'GET',
  '/Accounts/:account_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)

export const speechCatalogueOfProvider = defineRoute<CatalogueRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
  'List the languages, voices and models of a vendor',
)
