import {
  owners,
  foreign,
  providers,
  gate,
  json,
  onlyAdmin,
  speechPrivileges,
  underProvider,
  type Row,
} from './access-answers'
import { aCredential, aVoice, shared } from './access-drafts'
import type { World } from './world'

const recordPath = '/:speech_credential_sid'
const lists = '/speech/supportedLanguagesAndVoices'
const account = '/Accounts/:account_sid/SpeechCredentials'
const provider = '/ServiceProviders/:service_provider_sid/SpeechCredentials'
const sharedOne = (world: World) => ({ speech_credential_sid: shared(world).speech_credential })
/** Not a file; the upload has its own test. */
const noFile = json(400, 'missing file in part file', 'file')
const flags = () => ({ use_for_tts: 1 })

/** Access to speech credentials and their custom voices. */
export const speech: Row[] = [
  { call: `POST ${account}`, body: () => ({ vendor: 'soniox', api_key: 'k' }), responses: owners(...foreign(gate)) },
  { call: `GET ${account}${recordPath}`, responses: owners(...foreign(gate)) },
  { call: `PUT ${account}${recordPath}`, body: flags, responses: owners(...foreign(gate)) },
  {
    call: `PUT ${account}${recordPath}`,
    params: sharedOne,
    body: flags,
    responses: { ...providers(gate), acme: speechPrivileges },
  },

  // The test credentials are invalid, which the server detects without a request to a vendor.
  { call: `GET ${account}${recordPath}/test`, responses: owners(...foreign(gate)) },
  { call: `GET ${account}${recordPath}/test`, params: sharedOne, responses: owners(...foreign(gate)) },
  { call: `GET ${provider}${recordPath}/test`, responses: owners(...foreign(speechPrivileges)) },
  { call: `GET ${provider}${recordPath}/test`, params: sharedOne, responses: underProvider(speechPrivileges) },
  { call: `GET ${account}${lists}`, query: () => '?vendor=cobalt', responses: owners(...foreign(gate)) },
  { call: `GET ${provider}${lists}`, query: () => '?vendor=cobalt', responses: underProvider(speechPrivileges) },
  {
    call: 'POST /Accounts/:account_sid/TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    responses: owners(...foreign(gate)),
  },
  {
    call: 'POST /TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    responses: onlyAdmin(gate),
  },

  // The account's own SID replaces the one in the body.
  { call: `POST ${provider}`, body: aCredential, responses: underProvider(speechPrivileges) },
  {
    call: `POST ${provider}`,
    body: ({ corp }) => ({ vendor: 'soniox', api_key: 'k', account_sid: corp.account }),
    responses: {
      ...underProvider(speechPrivileges),
      admin: json(400, 'unknown account_sid', 'account_sid'),
      north: json(400, 'unknown account_sid', 'account_sid'),
    },
  },
  { call: `GET ${provider}${recordPath}`, responses: owners(...foreign(speechPrivileges)) },
  { call: `GET ${provider}${recordPath}`, params: sharedOne, responses: providers(speechPrivileges) },
  { call: `PUT ${provider}${recordPath}`, body: flags, responses: owners(...foreign(speechPrivileges)) },
  { call: `PUT ${provider}${recordPath}`, params: sharedOne, body: flags, responses: providers(speechPrivileges) },

  {
    call: `DELETE ${account}${recordPath}`,
    disposableTarget: { path: account, body: aCredential },
    responses: owners(...foreign(gate)),
  },
  {
    call: `DELETE ${provider}${recordPath}`,
    disposableTarget: { path: account, body: aCredential },
    responses: owners(...foreign(speechPrivileges)),
  },
  {
    call: `DELETE ${provider}${recordPath}`,
    disposableTarget: { path: provider, body: () => ({ vendor: 'soniox', api_key: 'k' }) },
    responses: providers(speechPrivileges),
  },

  {
    call: 'GET /GoogleCustomVoices',
    query: ({ acme }) => `?speech_credential_sid=${acme.speech_credential}`,
    responses: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'GET /GoogleCustomVoices',
    query: (world) => `?speech_credential_sid=${shared(world).speech_credential}`,
    responses: underProvider(speechPrivileges),
  },
  { call: 'POST /GoogleCustomVoices', body: aVoice, responses: owners(...foreign(speechPrivileges)) },
  {
    call: 'POST /GoogleCustomVoices',
    body: (world) => ({ ...aVoice(world), ...sharedOne(world) }),
    responses: providers(speechPrivileges),
  },
  { call: 'GET /GoogleCustomVoices/:google_custom_voice_sid', responses: owners(...foreign(speechPrivileges)) },
  {
    call: 'PUT /GoogleCustomVoices/:google_custom_voice_sid',
    body: () => ({ model: 'n' }),
    responses: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'DELETE /GoogleCustomVoices/:google_custom_voice_sid',
    disposableTarget: { path: '/GoogleCustomVoices', body: aVoice },
    responses: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'POST /GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
    responses: { ...owners(...foreign(speechPrivileges)), admin: noFile, north: noFile, acme: noFile },
  },
]
