import {
  requireBasicAuth,
  requireBearerToken,
  requireHeader,
  containsWave,
  manyVoicesCount,
  credentialRefusedMessage,
  refuseWith,
  sampleAudio,
  audioIfPresent,
  type VendorRequest,
  type VendorDouble,
} from './speech-double'

/** Checks for SSML and the header that Azure requires, and returns audio. */
const azureAudio = ({ body, headers }: VendorRequest) =>
  /^<speak .*<voice name="[^"]+">[^<]+<\/voice><\/speak>$/s.test(body.toString()) && headers['x-microsoft-outputformat']
    ? sampleAudio
    : undefined

/** Vendors with synthesis; some of them also support recognition. */
export const synthesisVendors: Record<string, VendorDouble> = {
  // A custom server with the interface that the platform expects.
  'custom:mill': {
    credential: {
      auth_token: 'mill-token',
      custom_tts_url: 'https://mill.example.com/say',
      custom_stt_url: 'wss://mill/',
    },
    isAuthorized: requireBearerToken('mill-token'),
    refuse: refuseWith('Who are you?'),
    messageToUser: credentialRefusedMessage('Who are you?'),
    routes: {
      'POST mill.example.com/say': (request) =>
        request.json.type === 'text' ? audioIfPresent('text', 'language', 'voice')(request) : undefined,
    },
  },
  microsoft: {
    credential: { region: 'westeurope', api_key: 'azure-key' },
    isAuthorized: requireHeader('ocp-apim-subscription-key', 'azure-key'),
    refuse: refuseWith(''),
    messageToUser: 'The vendor refused the credential.',
    hostAliases: {
      'tts.example.com:5000': 'westeurope.tts.speech.microsoft.com',
      'asr.example.com:5000': 'westeurope.stt.speech.microsoft.com',
    },
    routes: {
      'POST westeurope.tts.speech.microsoft.com/cognitiveservices/v1': azureAudio,
      // A customer's deployment supports only the customer's own voice.
      'POST westeurope.voice.speech.microsoft.com/cognitiveservices/v1': (request) =>
        request.query.get('deploymentId') && request.body.includes('name="OurVoice"') ? azureAudio(request) : undefined,
      'POST westeurope.stt.speech.microsoft.com/speech/recognition/conversation/cognitiveservices/v1': (request) =>
        containsWave(request) && request.query.get('language')
          ? { RecognitionStatus: 'Success', DisplayText: 'Hi.' }
          : undefined,
      'GET westeurope.tts.speech.microsoft.com/cognitiveservices/voices/list': () =>
        Array.from({ length: manyVoicesCount }, (_, index) => ({
          ShortName: `en-US-Voice${index}Neural`,
          DisplayName: `Voice ${index}`,
          Gender: index % 2 ? 'Male' : 'Female',
          Locale: 'en-US',
          LocaleName: 'English (United States)',
        })),
    },
  },
  deepgram: {
    credential: { api_key: 'deepgram-key' },
    isAuthorized: requireHeader('authorization', 'Token deepgram-key'),
    refuse: refuseWith({ err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.', request_id: '1' }),
    messageToUser: credentialRefusedMessage('Invalid credentials.'),
    hostAliases: {
      'api.eu.deepgram.com': 'api.deepgram.com',
      'dg.example.com:8080': 'api.deepgram.com',
    },
    routes: {
      'POST api.deepgram.com/v1/speak': (request) =>
        request.query.get('model') ? audioIfPresent('text')(request) : undefined,
      'POST api.deepgram.com/v1/listen': (request) =>
        containsWave(request) ? { results: { channels: [] } } : undefined,
      'GET api.deepgram.com/v1/models': () => ({
        stt: [
          { name: 'general', canonical_name: 'nova-3-general', languages: ['en', 'de'] },
          { name: 'medical', canonical_name: 'nova-3-medical', languages: ['en'] },
        ],
        tts: [{ name: 'thalia', canonical_name: 'aura-2-thalia-en', languages: ['en'] }],
      }),
    },
  },
  ibm: {
    credential: { tts_region: 'eu-de', tts_api_key: 'ibm-key', stt_region: 'eu-gb', stt_api_key: 'ibm-key' },
    isAuthorized: requireBasicAuth('apikey', 'ibm-key'),
    refuse: refuseWith({ code: 401, error: 'Unauthorized' }),
    messageToUser: 'invalid api_key or region',
    routes: {
      'GET api.eu-de.text-to-speech.watson.cloud.ibm.com/v1/voices': () => ({
        voices: [{ name: 'de-DE_BirgitV3Voice', language: 'de-DE', gender: 'female', description: 'Birgit' }],
      }),
      'GET api.eu-gb.speech-to-text.watson.cloud.ibm.com/v1/models': () => ({
        models: [{ name: 'en-GB_Telephony', language: 'en-GB' }],
      }),
      'POST api.eu-de.text-to-speech.watson.cloud.ibm.com/v1/synthesize': (request) =>
        request.query.get('voice') ? audioIfPresent('text')(request) : undefined,
    },
  },
  nuance: {
    credential: { client_id: 'nuance', secret: 'nuance-secret' },
    isAuthorized: requireBasicAuth('nuance', 'nuance-secret'),
    refuse: refuseWith({ error: 'invalid_client' }),
    messageToUser: 'invalid client_id or secret',
    routes: {
      'POST auth.crt.nuance.com/oauth2/token': ({ body }) =>
        new URLSearchParams(body.toString()).get('scope') ? { access_token: 'lent', expires_in: 899 } : undefined,
    },
  },
  wellsaid: {
    credential: { api_key: 'wellsaid-key' },
    isAuthorized: requireHeader('x-api-key', 'wellsaid-key'),
    refuse: refuseWith({ message: 'Forbidden' }, 403),
    messageToUser: credentialRefusedMessage('Forbidden'),
    routes: { 'POST api.wellsaidlabs.com/v1/tts/stream': audioIfPresent('text', 'speaker_id') },
  },
  elevenlabs: {
    credential: { api_key: 'eleven-key', model_id: 'eleven_flash_v2_5', api_uri: 'api.elevenlabs.io' },
    isAuthorized: requireHeader('xi-api-key', 'eleven-key'),
    refuse: refuseWith({ detail: { status: 'invalid_api_key', message: 'Invalid API key' } }),
    messageToUser: credentialRefusedMessage('Invalid API key'),
    hostAliases: {
      'api.eu.residency.elevenlabs.io': 'api.elevenlabs.io',
    },
    routes: {
      'POST api.elevenlabs.io/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM': audioIfPresent('text', 'model_id'),
      'GET api.elevenlabs.io/v1/models': () => [
        { model_id: 'eleven_v1', name: 'One', languages: [{ language_id: 'en', name: 'English' }] },
        {
          model_id: 'eleven_flash_v2_5',
          name: 'Flash',
          languages: [
            { language_id: 'en', name: 'English' },
            { language_id: 'de', name: 'German' },
          ],
        },
      ],
      'GET api.elevenlabs.io/v1/voices': () => ({
        voices: [
          {
            voice_id: '21m00Tcm4TlvDq8ikWAM',
            name: 'Rachel',
            category: 'premade',
            labels: { accent: 'american', age: 'young', gender: 'female' },
          },
        ],
      }),
    },
  },
  playht: {
    credential: { api_key: 'play-key', user_id: 'player', voice_engine: 'Play3.0' },
    isAuthorized: ({ headers }) => headers.authorization === 'play-key' && headers['x-user-id'] === 'player',
    refuse: refuseWith({ error_message: 'Invalid token', error_id: 'UNAUTHORIZED' }, 403),
    messageToUser: credentialRefusedMessage('Invalid token'),
    hostAliases: {
      'play.example.com': 'api.play.ht',
      'play.example.com:9000': 'api.play.ht',
    },
    routes: {
      'POST api.play.ht/api/v3/auth': () => ({ 'Play3.0-mini': { http_streaming_url: 'https://lent.play.ht/stream' } }),
      // Only German text needs a language, and by name instead of code.
      'POST lent.play.ht/stream': (request) =>
        request.json.language === (request.json.text === 'Guten Tag.' ? 'german' : undefined)
          ? audioIfPresent('text', 'voice')(request)
          : undefined,
      'POST api.play.ht/api/v2/tts/stream': audioIfPresent('text', 'voice'),
      'POST api.play.ht/de/api/v2/tts/stream': audioIfPresent('text', 'voice'),
      'GET api.play.ht/api/v2/voices': () => [
        {
          id: 's3://susan',
          name: 'Susan',
          language: 'English (US)',
          language_code: 'en-US',
          voice_engine: 'PlayHT2.0',
        },
      ],
      'GET api.play.ht/api/v2/cloned-voices': () => [{ id: 's3://mine', name: 'Mine', voice_engine: 'PlayHT2.0' }],
    },
  },
  rimelabs: {
    credential: { api_key: 'rime-key', model_id: 'mistv2' },
    isAuthorized: requireBearerToken('rime-key'),
    refuse: refuseWith({ error: 'Unauthorized' }),
    messageToUser: credentialRefusedMessage('Unauthorized'),
    routes: { 'POST users.rime.ai/v1/rime-tts': audioIfPresent('text', 'speaker', 'modelId') },
    publicRoutes: {
      'GET users.rime.ai/data/voices/all-v2.json': () => ({
        mist: { eng: ['amber'] },
        mistv2: { eng: ['cove', 'lagoon'], spa: ['mari'] },
      }),
    },
  },
  inworld: {
    credential: { api_key: 'inworld-key', model_id: 'inworld-tts-1' },
    isAuthorized: requireHeader('authorization', 'Basic inworld-key'),
    refuse: refuseWith({ code: 16, message: 'Invalid authorization credentials' }),
    messageToUser: credentialRefusedMessage('Invalid authorization credentials'),
    routes: {
      'POST api.inworld.ai/tts/v1/voice': (request) =>
        audioIfPresent('text', 'voiceId', 'modelId')(request) && { audioContent: sampleAudio.toString('base64') },
      'GET api.inworld.ai/tts/v1/voices': () => ({
        voices: [{ voiceId: 'Ashley', displayName: 'Ashley', languages: ['en'] }],
      }),
    },
  },
  resemble: {
    credential: { api_key: 'resemble-key' },
    isAuthorized: ({ headers: { authorization = '' } }) => /^(Bearer |Token token=)resemble-key$/.test(authorization),
    refuse: refuseWith({ success: false, message: 'Invalid token' }),
    messageToUser: credentialRefusedMessage('Invalid token'),
    hostAliases: {
      'speech.example.com:8080': 'f.cluster.resemble.ai',
    },
    routes: {
      'POST f.cluster.resemble.ai/synthesize': (request) =>
        audioIfPresent('voice_uuid', 'data')(request) && {
          success: true,
          audio_content: sampleAudio.toString('base64'),
        },
      'GET app.resemble.ai/api/v2/voices': ({ query }) => ({
        success: true,
        num_pages: 2,
        items: [
          { uuid: `v${query.get('page')}`, name: 'Ready', status: 'finished', default_language: 'en-US' },
          { uuid: 'raw', name: 'Not yet', status: 'training', default_language: 'en-US' },
        ],
      }),
    },
  },
  whisper: {
    credential: { api_key: 'sk-whisper-key', model_id: 'tts-1' },
    isAuthorized: requireBearerToken('sk-whisper-key'),
    refuse: refuseWith({ error: { message: 'Incorrect API key provided: sk-whisp***.', code: 'invalid_api_key' } }),
    messageToUser: credentialRefusedMessage('Incorrect API key provided: sk-whisp***.'),
    routes: { 'POST api.openai.com/v1/audio/speech': audioIfPresent('model', 'input', 'voice') },
  },
  cartesia: {
    credential: { api_key: 'cartesia-key', model_id: 'sonic-2', stt_model_id: 'ink-whisper' },
    isAuthorized: ({ headers }) => headers['x-api-key'] === 'cartesia-key' && Boolean(headers['cartesia-version']),
    refuse: refuseWith('Invalid API key'),
    messageToUser: credentialRefusedMessage('Invalid API key'),
    routes: {
      'POST api.cartesia.ai/tts/bytes': audioIfPresent('model_id', 'transcript', 'voice', 'output_format'),
      'GET api.cartesia.ai/voices': () => [
        { id: 'c1', name: 'Barbara', language: 'en' },
        { id: 'c2', name: 'Bernd', language: 'de' },
        { id: 'c3', name: 'Basma', language: 'ar' },
      ],
    },
  },
  verbio: {
    credential: { client_id: 'verbio', client_secret: 'verbio-secret', engine_version: 'V1' },
    isAuthorized: ({ json, headers }) =>
      headers.authorization === 'Bearer lent' ||
      (json.client_id === 'verbio' && json.client_secret === 'verbio-secret'),
    refuse: refuseWith({ error: 'unauthorized' }),
    messageToUser: credentialRefusedMessage('unauthorized'),
    routes: {
      'POST auth.speechcenter.verbio.com:444/api/v1/token': () => ({ access_token: 'lent' }),
      'POST us.rest.speechcenter.verbio.com/api/v1/synthesize': (request) =>
        request.json.output_encoding === 'pcm16'
          ? audioIfPresent('text', 'voice_id', 'output_sample_rate')(request)
          : undefined,
      'POST us.rest.speechcenter.verbio.com/api/v1/recognize': (request) =>
        containsWave(request) ? { text: 'hello' } : undefined,
      'GET us.rest.speechcenter.verbio.com/api/v1/voices': () => [
        { voice_id: 'tommy_en-us', name: 'Tommy', language: 'en-US' },
      ],
    },
  },
}
