import { createSynthesisTest, groupByLanguage, extractAudio, readTextField, type VendorApi } from '../vendor-api'

const baseUrl = 'https://users.rime.ai'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice, language }) => {
  const modelId = readTextField(fields, 'model_id')
  const response = await send({
    url: `${baseUrl}/v1/rime-tts`,
    headers: { authorization: `Bearer ${readTextField(fields, 'api_key')}`, accept: 'audio/mp3' },
    json: { text, speaker: voice, lang: language, ...(modelId ? { modelId } : {}) },
  })
  return extractAudio(response)
}

/** Rime uses three-letter language codes. */
const languageNames: Record<string, string> = {
  eng: 'English',
  spa: 'Spanish',
  fra: 'French',
  ger: 'German',
  deu: 'German',
  hin: 'Hindi',
  ara: 'Arabic',
  heb: 'Hebrew',
  jpn: 'Japanese',
  por: 'Portuguese',
  ita: 'Italian',
}

export const rimelabs: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, 'amber', 'eng'),
  async fetchCatalogue(send, fields) {
    const response = await send({ url: `${baseUrl}/data/voices/all-v2.json` })
    const models = response.json<Record<string, Record<string, unknown>>>()
    const model = readTextField(fields, 'model_id')
    const voices = (Object.hasOwn(models, model) ? models[model] : Object.values(models)[0]) ?? {}
    const listedVoices = Object.entries(voices).flatMap(([language, names]) =>
      (Array.isArray(names) ? names : [])
        .filter((name): name is string => typeof name === 'string')
        .map((name) => ({ languages: [language], value: name, name: name.charAt(0).toUpperCase() + name.slice(1) })),
    )
    return {
      tts: groupByLanguage(listedVoices, (code) => languageNames[code] ?? code),
      models: Object.keys(models).map((value) => ({ value, name: value })),
    }
  },
  synthesize,
}
