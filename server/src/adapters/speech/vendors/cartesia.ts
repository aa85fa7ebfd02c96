import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  languageName,
  requiredRows,
  audioOf,
  textField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const base = 'https://api.cartesia.ai'
const authHeaders = (fields: CredentialFields) => ({
  'x-api-key': textField(fields, 'api_key'),
  'cartesia-version': '2024-06-10',
})

interface Voice {
  id: string
  name: string
  language: string
}

const voices = async (send: SendRequest, fields: CredentialFields) => {
  const answer = (await send({ url: `${base}/voices`, headers: authHeaders(fields) })).json<
    unknown[] | { data: unknown }
  >()
  return requiredRows<Voice>(Array.isArray(answer) ? answer : (answer as { data?: unknown }).data)
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (
  send,
  fields,
  { text: transcript, language, voice },
) => {
  const answer = await send({
    url: `${base}/tts/bytes`,
    headers: authHeaders(fields),
    json: {
      model_id: textField(fields, 'model_id') || 'sonic-2',
      transcript,
      voice: { mode: 'id', id: voice },
      language,
      output_format: { container: 'mp3', sample_rate: 44100, bit_rate: 128000 },
    },
  })
  return audioOf(answer)
}

const testSynthesis = async (send: SendRequest, fields: CredentialFields, owner: string): Promise<void> => {
  const voice = '694f9389-aac1-45b6-b726-9d9369183238'
  await synthesize(send, fields, { text: 'Hello world.', language: 'en', voice }, owner)
  await voices(send, fields)
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
    const model = textField(fields, 'model_id')
    if (!model) throw new SpeechError(messages.noVoices)
    const listed = (await voices(send, fields))
      .filter(({ language }) => language && isSupported(model, language))
      .map(({ id = '', name = id, language = '' }) => ({ languages: [language], value: id, name }))
    const tts = groupByLanguage(listed)
    return { tts, stt: tts.map(({ value }) => ({ value, name: languageName(value) })) }
  },
  synthesize,
}
