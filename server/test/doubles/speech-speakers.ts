import {
  basic,
  bearer,
  header,
  isWave,
  manyVoices,
  refused,
  refusing,
  sampleAudio,
  speaks,
  type VendorRequest,
  type Double,
} from './speech-double'

/** Checks for SSML and the header that Azure requires, and returns audio. */
const azureSpeaks = ({ body, headers }: VendorRequest) =>
  /^<speak .*<voice name="[^"]+">[^<]+<\/voice><\/speak>$/s.test(body.toString()) && headers['x-microsoft-outputformat']
    ? sampleAudio
    : undefined

/** Vendors with synthesis; some of them also support recognition. */
export const speakers: Record<string, Double> = {
  // A custom server with the interface that the platform expects.
  'custom:mill': {
    key: { auth_token: 'mill-token', custom_tts_url: 'https://mill.example.com/say', custom_stt_url: 'wss://mill/' },
    knows: bearer('mill-token'),
    refuses: refusing('Who are you?'),
    reads: refused('Who are you?'),
    calls: {
      'POST mill.example.com/say': (request) =>
        request.json.type === 'text' ? speaks('text', 'language', 'voice')(request) : undefined,
    },
  },
  microsoft: {
    key: { region: 'westeurope', api_key: 'azure-key' },
    knows: header('ocp-apim-subscription-key', 'azure-key'),
    refuses: refusing(''),
    reads: 'The vendor refused the credential.',
    hosts: {
      'tts.example.com:5000': 'westeurope.tts.speech.microsoft.com',
      'asr.example.com:5000': 'westeurope.stt.speech.microsoft.com',
    },
    calls: {
      'POST westeurope.tts.speech.microsoft.com/cognitiveservices/v1': azureSpeaks,
      // A customer's deployment supports only the customer's own voice.
      'POST westeurope.voice.speech.microsoft.com/cognitiveservices/v1': (request) =>
        request.query.get('deploymentId') && request.body.includes('name="OurVoice"')
          ? azureSpeaks(request)
          : undefined,
      'POST westeurope.stt.speech.microsoft.com/speech/recognition/conversation/cognitiveservices/v1': (request) =>
        isWave(request) && request.query.get('language')
          ? { RecognitionStatus: 'Success', DisplayText: 'Hi.' }
          : undefined,
      'GET westeurope.tts.speech.microsoft.com/cognitiveservices/voices/list': () =>
        Array.from({ length: manyVoices }, (_, index) => ({
          ShortName: `en-US-Voice${index}Neural`,
          DisplayName: `Voice ${index}`,
          Gender: index % 2 ? 'Male' : 'Female',
          Locale: 'en-US',
          LocaleName: 'English (United States)',
        })),
    },
  },
  deepgram: {
    key: { api_key: 'deepgram-key' },
    knows: header('authorization', 'Token deepgram-key'),
    refuses: refusing({ err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.', request_id: '1' }),
    reads: refused('Invalid credentials.'),
    hosts: {
      'api.eu.deepgram.com': 'api.deepgram.com',
      'dg.example.com:8080': 'api.deepgram.com',
    },
    calls: {
      'POST api.deepgram.com/v1/speak': (request) => (request.query.get('model') ? speaks('text')(request) : undefined),
      'POST api.deepgram.com/v1/listen': (requests) => (isWave(requests) ? { results: { channels: [] } } : undefined),
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
    key: { tts_region: 'eu-de', tts_api_key: 'ibm-key', stt_region: 'eu-gb', stt_api_key: 'ibm-key' },
    knows: basic('apikey', 'ibm-key'),
    refuses: refusing({ code: 401, error: 'Unauthorized' }),
    reads: 'invalid api_key or region',
    calls: {
      'GET api.eu-de.text-to-speech.watson.cloud.ibm.com/v1/voices': () => ({
        voices: [{ name: 'de-DE_BirgitV3Voice', language: 'de-DE', gender: 'female', description: 'Birgit' }],
      }),
      'GET api.eu-gb.speech-to-text.watson.cloud.ibm.com/v1/models': () => ({
        models: [{ name: 'en-GB_Telephony', language: 'en-GB' }],
      }),
      'POST api.eu-de.text-to-speech.watson.cloud.ibm.com/v1/synthesize': (request) =>
        request.query.get('voice') ? speaks('text')(request) : undefined,
    },
  },
  nuance: {
    key: { client_id: 'nuance', secret: 'nuance-secret' },
    knows: basic('nuance', 'nuance-secret'),
    refuses: refusing({ error: 'invalid_client' }),
    reads: 'invalid client_id or secret',
    calls: {
      'POST auth.crt.nuance.com/oauth2/token': ({ body }) =>
        new URLSearchParams(body.toString()).get('scope') ? { access_token: 'lent', expires_in: 899 } : undefined,
    },
  },
  wellsaid: {
    key: { api_key: 'wellsaid-key' },
    knows: header('x-api-key', 'wellsaid-key'),
    refuses: refusing({ message: 'Forbidden' }, 403),
    reads: refused('Forbidden'),
    calls: { 'POST api.wellsaidlabs.com/v1/tts/stream': speaks('text', 'speaker_id') },
  },
  elevenlabs: {
    key: { api_key: 'eleven-key', model_id: 'eleven_flash_v2_5', api_uri: 'api.elevenlabs.io' },
    knows: header('xi-api-key', 'eleven-key'),
    refuses: refusing({ detail: { status: 'invalid_api_key', message: 'Invalid API key' } }),
    reads: refused('Invalid API key'),
    hosts: {
      'api.eu.residency.elevenlabs.io': 'api.elevenlabs.io',
    },
    calls: {
      'POST api.elevenlabs.io/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM': speaks('text', 'model_id'),
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
    key: { api_key: 'play-key', user_id: 'player', voice_engine: 'Play3.0' },
    knows: ({ headers }) => headers.authorization === 'play-key' && headers['x-user-id'] === 'player',
    refuses: refusing({ error_message: 'Invalid token', error_id: 'UNAUTHORIZED' }, 403),
    reads: refused('Invalid token'),
    hosts: {
      'play.example.com': 'api.play.ht',
      'play.example.com:9000': 'api.play.ht',
    },
    calls: {
      'POST api.play.ht/api/v3/auth': () => ({ 'Play3.0-mini': { http_streaming_url: 'https://lent.play.ht/stream' } }),
      // Only German text needs a language, and by name instead of code.
      'POST lent.play.ht/stream': (request) =>
        request.json.language === (request.json.text === 'Guten Tag.' ? 'german' : undefined)
          ? speaks('text', 'voice')(request)
          : undefined,
      'POST api.play.ht/api/v2/tts/stream': speaks('text', 'voice'),
      'POST api.play.ht/de/api/v2/tts/stream': speaks('text', 'voice'),
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
    key: { api_key: 'rime-key', model_id: 'mistv2' },
    knows: bearer('rime-key'),
    refuses: refusing({ error: 'Unauthorized' }),
    reads: refused('Unauthorized'),
    calls: { 'POST users.rime.ai/v1/rime-tts': speaks('text', 'speaker', 'modelId') },
    open: {
      'GET users.rime.ai/data/voices/all-v2.json': () => ({
        mist: { eng: ['amber'] },
        mistv2: { eng: ['cove', 'lagoon'], spa: ['mari'] },
      }),
    },
  },
  inworld: {
    key: { api_key: 'inworld-key', model_id: 'inworld-tts-1' },
    knows: header('authorization', 'Basic inworld-key'),
    refuses: refusing({ code: 16, message: 'Invalid authorization credentials' }),
    reads: refused('Invalid authorization credentials'),
    calls: {
      'POST api.inworld.ai/tts/v1/voice': (request) =>
        speaks('text', 'voiceId', 'modelId')(request) && { audioContent: sampleAudio.toString('base64') },
      'GET api.inworld.ai/tts/v1/voices': () => ({
        voices: [{ voiceId: 'Ashley', displayName: 'Ashley', languages: ['en'] }],
      }),
    },
  },
  resemble: {
    key: { api_key: 'resemble-key' },
    knows: ({ headers: { authorization = '' } }) => /^(Bearer |Token token=)resemble-key$/.test(authorization),
    refuses: refusing({ success: false, message: 'Invalid token' }),
    reads: refused('Invalid token'),
    hosts: {
      'speech.example.com:8080': 'f.cluster.resemble.ai',
    },
    calls: {
      'POST f.cluster.resemble.ai/synthesize': (request) =>
        speaks('voice_uuid', 'data')(request) && { success: true, audio_content: sampleAudio.toString('base64') },
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
    key: { api_key: 'sk-whisper-key', model_id: 'tts-1' },
    knows: bearer('sk-whisper-key'),
    refuses: refusing({ error: { message: 'Incorrect API key provided: sk-whisp***.', code: 'invalid_api_key' } }),
    reads: refused('Incorrect API key provided: sk-whisp***.'),
    calls: { 'POST api.openai.com/v1/audio/speech': speaks('model', 'input', 'voice') },
  },
  cartesia: {
    key: { api_key: 'cartesia-key', model_id: 'sonic-2', stt_model_id: 'ink-whisper' },
    knows: ({ headers }) => headers['x-api-key'] === 'cartesia-key' && Boolean(headers['cartesia-version']),
    refuses: refusing('Invalid API key'),
    reads: refused('Invalid API key'),
    calls: {
      'POST api.cartesia.ai/tts/bytes': speaks('model_id', 'transcript', 'voice', 'output_format'),
      'GET api.cartesia.ai/voices': () => [
        { id: 'c1', name: 'Barbara', language: 'en' },
        { id: 'c2', name: 'Bernd', language: 'de' },
        { id: 'c3', name: 'Basma', language: 'ar' },
      ],
    },
  },
  verbio: {
    key: { client_id: 'verbio', client_secret: 'verbio-secret', engine_version: 'V1' },
    knows: ({ json, headers }) =>
      headers.authorization === 'Bearer lent' ||
      (json.client_id === 'verbio' && json.client_secret === 'verbio-secret'),
    refuses: refusing({ error: 'unauthorized' }),
    reads: refused('unauthorized'),
    calls: {
      'POST auth.speechcenter.verbio.com:444/api/v1/token': () => ({ access_token: 'lent' }),
      'POST us.rest.speechcenter.verbio.com/api/v1/synthesize': (request) =>
        request.json.output_encoding === 'pcm16'
          ? speaks('text', 'voice_id', 'output_sample_rate')(request)
          : undefined,
      'POST us.rest.speechcenter.verbio.com/api/v1/recognize': (request) =>
        isWave(request) ? { text: 'hello' } : undefined,
      'GET us.rest.speechcenter.verbio.com/api/v1/voices': () => [
        { voice_id: 'tommy_en-us', name: 'Tommy', language: 'en-US' },
      ],
    },
  },
}
