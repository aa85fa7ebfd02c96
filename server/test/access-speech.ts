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

const one = '/:speech_credential_sid'
const lists = '/speech/supportedLanguagesAndVoices'
const account = '/Accounts/:account_sid/SpeechCredentials'
const provider = '/ServiceProviders/:service_provider_sid/SpeechCredentials'
const sharedOne = (world: World) => ({ speech_credential_sid: shared(world).speech_credential })
/** Not a file; the upload has its own test. */
const noFile = json(400, 'missing file in part file', 'file')
const flags = () => ({ use_for_tts: 1 })

/** Access to speech credentials and their custom voices. */
export const speech: Row[] = [
  { call: `POST ${account}`, body: () => ({ vendor: 'soniox', api_key: 'k' }), answers: owners(...foreign(gate)) },
  { call: `GET ${account}${one}`, answers: owners(...foreign(gate)) },
  { call: `PUT ${account}${one}`, body: flags, answers: owners(...foreign(gate)) },
  {
    call: `PUT ${account}${one}`,
    params: sharedOne,
    body: flags,
    answers: { ...providers(gate), acme: speechPrivileges },
  },

  // The test credentials are invalid, which the server detects without a request to a vendor.
  { call: `GET ${account}${one}/test`, answers: owners(...foreign(gate)) },
  { call: `GET ${account}${one}/test`, params: sharedOne, answers: owners(...foreign(gate)) },
  { call: `GET ${provider}${one}/test`, answers: owners(...foreign(speechPrivileges)) },
  { call: `GET ${provider}${one}/test`, params: sharedOne, answers: underProvider(speechPrivileges) },
  { call: `GET ${account}${lists}`, query: () => '?vendor=cobalt', answers: owners(...foreign(gate)) },
  { call: `GET ${provider}${lists}`, query: () => '?vendor=cobalt', answers: underProvider(speechPrivileges) },
  {
    call: 'POST /Accounts/:account_sid/TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    answers: owners(...foreign(gate)),
  },
  {
    call: 'POST /TtsCache/Synthesize',
    body: ({ acme }) => ({ speech_credential_sid: acme.speech_credential, text: 'Hi', language: 'en-US', voice: 'v' }),
    answers: onlyAdmin(gate),
  },

  // The account's own SID replaces the one in the body.
  { call: `POST ${provider}`, body: aCredential, answers: underProvider(speechPrivileges) },
  {
    call: `POST ${provider}`,
    body: ({ corp }) => ({ vendor: 'soniox', api_key: 'k', account_sid: corp.account }),
    answers: {
      ...underProvider(speechPrivileges),
      admin: json(400, 'unknown account_sid', 'account_sid'),
      north: json(400, 'unknown account_sid', 'account_sid'),
    },
  },
  { call: `GET ${provider}${one}`, answers: owners(...foreign(speechPrivileges)) },
  { call: `GET ${provider}${one}`, params: sharedOne, answers: providers(speechPrivileges) },
  { call: `PUT ${provider}${one}`, body: flags, answers: owners(...foreign(speechPrivileges)) },
  { call: `PUT ${provider}${one}`, params: sharedOne, body: flags, answers: providers(speechPrivileges) },

  {
    call: `DELETE ${account}${one}`,
    victim: { path: account, body: aCredential },
    answers: owners(...foreign(gate)),
  },
  {
    call: `DELETE ${provider}${one}`,
    victim: { path: account, body: aCredential },
    answers: owners(...foreign(speechPrivileges)),
  },
  {
    call: `DELETE ${provider}${one}`,
    victim: { path: provider, body: () => ({ vendor: 'soniox', api_key: 'k' }) },
    answers: providers(speechPrivileges),
  },

  {
    call: 'GET /GoogleCustomVoices',
    query: ({ acme }) => `?speech_credential_sid=${acme.speech_credential}`,
    answers: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'GET /GoogleCustomVoices',
    query: (world) => `?speech_credential_sid=${shared(world).speech_credential}`,
    answers: underProvider(speechPrivileges),
  },
  { call: 'POST /GoogleCustomVoices', body: aVoice, answers: owners(...foreign(speechPrivileges)) },
  {
    call: 'POST /GoogleCustomVoices',
    body: (world) => ({ ...aVoice(world), ...sharedOne(world) }),
    answers: providers(speechPrivileges),
  },
  { call: 'GET /GoogleCustomVoices/:google_custom_voice_sid', answers: owners(...foreign(speechPrivileges)) },
  {
    call: 'PUT /GoogleCustomVoices/:google_custom_voice_sid',
    body: () => ({ model: 'n' }),
    answers: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'DELETE /GoogleCustomVoices/:google_custom_voice_sid',
    victim: { path: '/GoogleCustomVoices', body: aVoice },
    answers: owners(...foreign(speechPrivileges)),
  },
  {
    call: 'POST /GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
    answers: { ...owners(...foreign(speechPrivileges)), admin: noFile, north: noFile, acme: noFile },
  },
]
