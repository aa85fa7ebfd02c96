import {
  okForOwners,
  sameForForeign,
  okForProvider,
  tenantRefusal,
  jsonResponse,
  okForAdmin,
  noSpeechPrivileges,
  okUnderProvider,
  type AccessCase,
} from './access-responses'
import { credentialDraft, customVoiceDraft, sharedByNorth } from './access-drafts'
import type { TestData } from './test-data'

const recordPath = '/:speech_credential_sid'
const vendorListPath = '/speech/supportedLanguagesAndVoices'
const accountPath = '/Accounts/:account_sid/SpeechCredentials'
const providerPath = '/ServiceProviders/:service_provider_sid/SpeechCredentials'
const sharedCredentialParams = (testData: TestData) => ({
  speech_credential_sid: sharedByNorth(testData).speech_credential,
})
/** The request contains no file: the upload has its own test. */
const noFile = jsonResponse(400, 'missing file in part file', 'file')
const useForTtsBody = () => ({ use_for_tts: 1 })

/** Access to speech credentials and their custom voices. */
export const speechCases: AccessCase[] = [
  {
    route: `POST ${accountPath}`,
    body: () => ({ vendor: 'soniox', api_key: 'k' }),
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  { route: `GET ${accountPath}${recordPath}`, responses: okForOwners(...sameForForeign(tenantRefusal)) },
  {
    route: `PUT ${accountPath}${recordPath}`,
    body: useForTtsBody,
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  {
    route: `PUT ${accountPath}${recordPath}`,
    params: sharedCredentialParams,
    body: useForTtsBody,
    responses: { ...okForProvider(tenantRefusal), acme: noSpeechPrivileges },
  },

  // The test credentials are invalid, which the server detects without a request to a vendor.
  { route: `GET ${accountPath}${recordPath}/test`, responses: okForOwners(...sameForForeign(tenantRefusal)) },
  {
    route: `GET ${accountPath}${recordPath}/test`,
    params: sharedCredentialParams,
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  { route: `GET ${providerPath}${recordPath}/test`, responses: okForOwners(...sameForForeign(noSpeechPrivileges)) },
  {
    route: `GET ${providerPath}${recordPath}/test`,
    params: sharedCredentialParams,
    responses: okUnderProvider(noSpeechPrivileges),
  },
  {
    route: `GET ${accountPath}${vendorListPath}`,
    query: () => '?vendor=cobalt',
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  {
    route: `GET ${providerPath}${vendorListPath}`,
    query: () => '?vendor=cobalt',
    responses: okUnderProvider(noSpeechPrivileges),
  },
  {
    route: 'POST /Accounts/:account_sid/TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  {
    route: 'POST /TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    responses: okForAdmin(tenantRefusal),
  },

  // The account's own SID replaces the one in the body.
  { route: `POST ${providerPath}`, body: credentialDraft, responses: okUnderProvider(noSpeechPrivileges) },
  {
    route: `POST ${providerPath}`,
    body: ({ corp }) => ({ vendor: 'soniox', api_key: 'k', account_sid: corp.account }),
    responses: {
      ...okUnderProvider(noSpeechPrivileges),
      admin: jsonResponse(400, 'unknown account_sid', 'account_sid'),
      north: jsonResponse(400, 'unknown account_sid', 'account_sid'),
    },
  },
  { route: `GET ${providerPath}${recordPath}`, responses: okForOwners(...sameForForeign(noSpeechPrivileges)) },
  {
    route: `GET ${providerPath}${recordPath}`,
    params: sharedCredentialParams,
    responses: okForProvider(noSpeechPrivileges),
  },
  {
    route: `PUT ${providerPath}${recordPath}`,
    body: useForTtsBody,
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: `PUT ${providerPath}${recordPath}`,
    params: sharedCredentialParams,
    body: useForTtsBody,
    responses: okForProvider(noSpeechPrivileges),
  },

  {
    route: `DELETE ${accountPath}${recordPath}`,
    disposableTarget: { path: accountPath, body: credentialDraft },
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },
  {
    route: `DELETE ${providerPath}${recordPath}`,
    disposableTarget: { path: accountPath, body: credentialDraft },
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: `DELETE ${providerPath}${recordPath}`,
    disposableTarget: { path: providerPath, body: () => ({ vendor: 'soniox', api_key: 'k' }) },
    responses: okForProvider(noSpeechPrivileges),
  },

  {
    route: 'GET /GoogleCustomVoices',
    query: ({ acme }) => `?speech_credential_sid=${acme.speech_credential}`,
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: 'GET /GoogleCustomVoices',
    query: (testData) => `?speech_credential_sid=${sharedByNorth(testData).speech_credential}`,
    responses: okUnderProvider(noSpeechPrivileges),
  },
  {
    route: 'POST /GoogleCustomVoices',
    body: customVoiceDraft,
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: 'POST /GoogleCustomVoices',
    body: (testData) => ({ ...customVoiceDraft(testData), ...sharedCredentialParams(testData) }),
    responses: okForProvider(noSpeechPrivileges),
  },
  {
    route: 'GET /GoogleCustomVoices/:google_custom_voice_sid',
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: 'PUT /GoogleCustomVoices/:google_custom_voice_sid',
    body: () => ({ model: 'n' }),
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: 'DELETE /GoogleCustomVoices/:google_custom_voice_sid',
    disposableTarget: { path: '/GoogleCustomVoices', body: customVoiceDraft },
    responses: okForOwners(...sameForForeign(noSpeechPrivileges)),
  },
  {
    route: 'POST /GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
    responses: { ...okForOwners(...sameForForeign(noSpeechPrivileges)), admin: noFile, north: noFile, acme: noFile },
  },
]
