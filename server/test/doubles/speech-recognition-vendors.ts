import { createHmac } from 'node:crypto'
import {
  requireBearerToken,
  requireHeader,
  containsWave,
  credentialRefusedMessage,
  refuseWith,
  type VendorRequest,
  type VendorDouble,
} from './speech-double'

const isSignedByHoundifyKey = ({ headers }: VendorRequest) => {
  const request = String(headers['hound-request-authentication'])
  const [client, time, signature] = String(headers['hound-client-authentication']).split(';')
  const validSignature = createHmac('sha256', Buffer.from('aG91bmQta2V5', 'base64url'))
    .update(request + time)
    .digest('base64url')
  return client === 'hound' && signature === validSignature
}

/** Vendors with recognition only. */
export const recognitionVendors: Record<string, VendorDouble> = {
  openai: {
    credential: { api_key: 'sk-openai-key', model_id: 'whisper-1' },
    isAuthorized: requireBearerToken('sk-openai-key'),
    refuse: refuseWith({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }),
    messageToUser: credentialRefusedMessage('Incorrect API key provided.'),
    routes: {
      'POST api.openai.com/v1/audio/transcriptions': (request) =>
        containsWave(request) && request.body.includes('name="model"') ? { text: 'Hello world.' } : undefined,
    },
  },
  assemblyai: {
    credential: { api_key: 'assembly-key', service_version: 'v2' },
    isAuthorized: requireHeader('authorization', 'assembly-key'),
    refuse: refuseWith({ error: 'Authentication error, API token missing/invalid' }),
    messageToUser: credentialRefusedMessage('Authentication error, API token missing/invalid'),
    routes: {
      'POST api.assemblyai.com/v2/upload': (request) =>
        containsWave(request) ? { upload_url: 'https://cdn.example/1' } : undefined,
      'POST api.assemblyai.com/v2/transcript': ({ json }) =>
        json.audio_url ? { id: 't1', status: 'queued' } : undefined,
      'GET api.assemblyai.com/v2/transcript/t1': () => ({ id: 't1', status: 'completed', text: 'hello' }),
    },
  },
  soniox: {
    credential: { api_key: 'soniox-key' },
    isAuthorized: requireBearerToken('soniox-key'),
    refuse: refuseWith({ status_code: 401, error_type: 'unauthenticated', message: 'Incorrect API key provided' }),
    messageToUser: credentialRefusedMessage('Incorrect API key provided'),
    routes: {
      'GET api.soniox.com/v1/models': () => ({
        models: [
          {
            id: 'stt-rt',
            languages: [
              { code: 'en', name: 'English' },
              { code: 'de', name: 'German' },
            ],
          },
        ],
      }),
    },
  },
  speechmatics: {
    credential: { api_key: 'matics-key', speechmatics_stt_uri: 'eu2.rt.speechmatics.com' },
    isAuthorized: requireBearerToken('matics-key'),
    refuse: refuseWith({ code: 401, error: 'Unauthorized', message: 'Invalid API key' }),
    messageToUser: credentialRefusedMessage('Invalid API key'),
    routes: {
      'POST mp.speechmatics.com/v1/api_keys': ({ query, json }) =>
        query.get('type') === 'rt' && json.ttl ? { key_value: 'lent' } : undefined,
    },
  },
  deepgramflux: {
    credential: { api_key: 'deepgram-key' },
    isAuthorized: requireHeader('authorization', 'Token deepgram-key'),
    refuse: refuseWith({ err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' }),
    messageToUser: credentialRefusedMessage('Invalid credentials.'),
    routes: {},
  },
  houndify: {
    credential: { client_id: 'hound', client_key: 'aG91bmQta2V5', user_id: 'me' },
    isAuthorized: isSignedByHoundifyKey,
    refuse: refuseWith('Authentication failed'),
    messageToUser: credentialRefusedMessage('Authentication failed'),
    routes: { 'POST api.houndify.com/v1/audio': (request) => (containsWave(request) ? { Status: 'OK' } : undefined) },
  },
  voxist: {
    credential: { api_key: 'voxist-key' },
    isAuthorized: requireHeader('x-lvl-key', 'voxist-key'),
    refuse: refuseWith({ message: 'Unauthorized' }),
    messageToUser: credentialRefusedMessage('Unauthorized'),
    routes: { 'GET api-asr.voxist.com/clients': () => ({ id: 'me' }) },
  },
  gladia: {
    credential: { api_key: 'gladia-key', region: 'eu-west' },
    isAuthorized: requireHeader('x-gladia-key', 'gladia-key'),
    refuse: refuseWith({ statusCode: 401, message: 'gladia key not found' }),
    messageToUser: credentialRefusedMessage('gladia key not found'),
    routes: {
      'POST api.gladia.io/v2/live': ({ json, query }) =>
        json.model && query.get('region') ? { id: 'g1', url: 'wss://api.gladia.io/v2/live?token=1' } : undefined,
      'DELETE api.gladia.io/v2/live/g1': () => ({}),
    },
  },
}
