import { createHmac } from 'node:crypto'
import { bearer, header, isWave, refused, refusing, type VendorRequest, type Double } from './speech-double'

const houndSigned = ({ headers }: VendorRequest) => {
  const request = String(headers['hound-request-authentication'])
  const [client, time, signature] = String(headers['hound-client-authentication']).split(';')
  const validCredential = createHmac('sha256', Buffer.from('aG91bmQta2V5', 'base64url'))
    .update(request + time)
    .digest('base64url')
  return client === 'hound' && signature === validCredential
}

/** Vendors with recognition only. */
export const listeners: Record<string, Double> = {
  openai: {
    key: { api_key: 'sk-openai-key', model_id: 'whisper-1' },
    knows: bearer('sk-openai-key'),
    refuses: refusing({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }),
    reads: refused('Incorrect API key provided.'),
    calls: {
      'POST api.openai.com/v1/audio/transcriptions': (request) =>
        isWave(request) && request.body.includes('name="model"') ? { text: 'Hello world.' } : undefined,
    },
  },
  assemblyai: {
    key: { api_key: 'assembly-key', service_version: 'v2' },
    knows: header('authorization', 'assembly-key'),
    refuses: refusing({ error: 'Authentication error, API token missing/invalid' }),
    reads: refused('Authentication error, API token missing/invalid'),
    calls: {
      'POST api.assemblyai.com/v2/upload': (request) =>
        isWave(request) ? { upload_url: 'https://cdn.example/1' } : undefined,
      'POST api.assemblyai.com/v2/transcript': ({ json }) =>
        json.audio_url ? { id: 't1', status: 'queued' } : undefined,
      'GET api.assemblyai.com/v2/transcript/t1': () => ({ id: 't1', status: 'completed', text: 'hello' }),
    },
  },
  soniox: {
    key: { api_key: 'soniox-key' },
    knows: bearer('soniox-key'),
    refuses: refusing({ status_code: 401, error_type: 'unauthenticated', message: 'Incorrect API key provided' }),
    reads: refused('Incorrect API key provided'),
    calls: {
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
    key: { api_key: 'matics-key', speechmatics_stt_uri: 'eu2.rt.speechmatics.com' },
    knows: bearer('matics-key'),
    refuses: refusing({ code: 401, error: 'Unauthorized', message: 'Invalid API key' }),
    reads: refused('Invalid API key'),
    calls: {
      'POST mp.speechmatics.com/v1/api_keys': ({ query, json }) =>
        query.get('type') === 'rt' && json.ttl ? { key_value: 'lent' } : undefined,
    },
  },
  deepgramflux: {
    key: { api_key: 'deepgram-key' },
    knows: header('authorization', 'Token deepgram-key'),
    refuses: refusing({ err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' }),
    reads: refused('Invalid credentials.'),
    calls: {},
  },
  houndify: {
    key: { client_id: 'hound', client_key: 'aG91bmQta2V5', user_id: 'me' },
    knows: houndSigned,
    refuses: refusing('Authentication failed'),
    reads: refused('Authentication failed'),
    calls: { 'POST api.houndify.com/v1/audio': (request) => (isWave(request) ? { Status: 'OK' } : undefined) },
  },
  voxist: {
    key: { api_key: 'voxist-key' },
    knows: header('x-lvl-key', 'voxist-key'),
    refuses: refusing({ message: 'Unauthorized' }),
    reads: refused('Unauthorized'),
    calls: { 'GET api-asr.voxist.com/clients': () => ({ id: 'me' }) },
  },
  gladia: {
    key: { api_key: 'gladia-key', region: 'eu-west' },
    knows: header('x-gladia-key', 'gladia-key'),
    refuses: refusing({ statusCode: 401, message: 'gladia key not found' }),
    reads: refused('gladia key not found'),
    calls: {
      'POST api.gladia.io/v2/live': ({ json, query }) =>
        json.model && query.get('region') ? { id: 'g1', url: 'wss://api.gladia.io/v2/live?token=1' } : undefined,
      'DELETE api.gladia.io/v2/live/g1': () => ({}),
    },
  },
}
