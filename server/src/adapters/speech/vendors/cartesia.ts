import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  getLanguageName,
  readRequiredRows,
  extractAudio,
  readTextField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const baseUrl = 'https://api.cartesia.ai'
const buildAuthHeaders = (fields: CredentialFields) => ({
  'x-api-key': readTextField(fields, 'api_key'),
  'cartesia-version': '2024-06-10',
})

interface Voice {
  id: string
  name: string
  language: string
}

const fetchVoices = async (send: SendRequest, fields: CredentialFields) => {
  const voiceList = (await send({ url: `${baseUrl}/voices`, headers: buildAuthHeaders(fields) })).json<
    unknown[] | { data: unknown }
  >()
  return readRequiredRows<Voice>(Array.isArray(voiceList) ? voiceList : (voiceList as { data?: unknown }).data)
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (
  send,
  fields,
  { text: transcript, language, voice },
) => {
  const response = await send({
    url: `${baseUrl}/tts/bytes`,
    headers: buildAuthHeaders(fields),
    json: {
      model_id: readTextField(fields, 'model_id') || 'sonic-2',
      transcript,
      voice: { mode: 'id', id: voice },
      language,
      output_format: { container: 'mp3', sample_rate: 44100, bit_rate: 128000 },
    },
  })
  return extractAudio(response)
}

const testSynthesis = async (send: SendRequest, fields: CredentialFields, ownerSid: string): Promise<void> => {
  // A voice of Cartesia's own.
  const voice = '694f9389-aac1-45b6-b726-9d9369183238'
  await synthesize(send, fields, { text: 'Hello world.', language: 'en', voice }, ownerSid)
  await fetchVoices(send, fields)
}

const earlyLanguages = ['en', 'fr', 'de', 'es', 'pt', 'zh', 'ja', 'hi', 'it', 'ko', 'nl', 'pl', 'ru', 'sv', 'tr']

/**
 * Two models only support English, models before the third generation the early languages, and later ones all languages with
 * voices.
 */
const isSupported = (model: string, language: string): boolean => {
  if (model === 'sonic-preview' || model === 'sonic-english') return language === 'en'
  return earlyLanguages.includes(language) || !/^sonic($|-2|-turbo|-multilingual)/.test(model)
}

export const cartesia: VendorApi = {
  testSynthesis,
  // One key covers both directions, so it is tested by synthesis.
  testRecognition: testSynthesis,
  async fetchCatalogue(send, fields) {
    const model = readTextField(fields, 'model_id')
    if (!model) throw new SpeechError(messages.noVoices)
    const listedVoices = (await fetchVoices(send, fields))
      .filter(({ language }) => language && isSupported(model, language))
      .map(({ id = '', name = id, language = '' }) => ({ languages: [language], value: id, name }))
    const tts = groupByLanguage(listedVoices)
    return { tts, stt: tts.map(({ value }) => ({ value, name: getLanguageName(value) })) }
  },
  synthesize,
}
