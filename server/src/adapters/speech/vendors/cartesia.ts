import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { byLanguage, languageName, listedRows, soundIn, text, type Parts, type VendorApi } from '../vendor'

const base = 'https://api.cartesia.ai'
const keyIn = (parts: Parts) => ({ 'x-api-key': text(parts, 'api_key'), 'cartesia-version': '2024-06-10' })

interface Voice {
  id: string
  name: string
  language: string
}

const voices = async (ask: Ask, parts: Parts) => {
  const answer = (await ask({ url: `${base}/voices`, headers: keyIn(parts) })).json<unknown[] | { data: unknown }>()
  return listedRows<Voice>(Array.isArray(answer) ? answer : (answer as { data?: unknown }).data)
}

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: transcript, language, voice }) => {
  const answer = await ask({
    url: `${base}/tts/bytes`,
    headers: keyIn(parts),
    json: {
      model_id: text(parts, 'model_id') || 'sonic-2',
      transcript,
      voice: { mode: 'id', id: voice },
      language,
      output_format: { container: 'mp3', sample_rate: 44100, bit_rate: 128000 },
    },
  })
  return soundIn(answer)
}

const speaks = async (ask: Ask, parts: Parts, owner: string): Promise<void> => {
  const voice = '694f9389-aac1-45b6-b726-9d9369183238'
  await says(ask, parts, { text: 'Hello world.', language: 'en', voice }, owner)
  await voices(ask, parts)
}

const early = ['en', 'fr', 'de', 'es', 'pt', 'zh', 'ja', 'hi', 'it', 'ko', 'nl', 'pl', 'ru', 'sv', 'tr']

/** Two models know English only, those before the third generation these, and later ones what there are voices for. */
const knows = (model: string, language: string): boolean => {
  if (model === 'sonic-preview' || model === 'sonic-english') return language === 'en'
  return early.includes(language) || !/^sonic($|-2|-turbo|-multilingual)/.test(model)
}

export const cartesia: VendorApi = {
  speaks,
  // one key is for both, and that it is good is shown by speaking
  hears: speaks,
  async lists(ask, parts) {
    const model = text(parts, 'model_id')
    if (!model) throw new SpeechError(messages.noVoices)
    const listed = (await voices(ask, parts))
      .filter(({ language }) => language && knows(model, language))
      .map(({ id = '', name = id, language = '' }) => ({ languages: [language], value: id, name }))
    const tts = byLanguage(listed)
    return { tts, stt: tts.map(({ value }) => ({ value, name: languageName(value) })) }
  },
  says,
}
