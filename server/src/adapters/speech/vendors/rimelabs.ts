import { testBySynthesis, groupByLanguage, audioOf, textField, type VendorApi } from '../vendor-api'

const base = 'https://users.rime.ai'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice, language }) => {
  const modelId = textField(fields, 'model_id')
  const answer = await send({
    url: `${base}/v1/rime-tts`,
    headers: { authorization: `Bearer ${textField(fields, 'api_key')}`, accept: 'audio/mp3' },
    json: { text, speaker: voice, lang: language, ...(modelId ? { modelId } : {}) },
  })
  return audioOf(answer)
}

/** Rime uses three-letter language codes. */
const languages: Record<string, string> = {
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
  testSynthesis: testBySynthesis(synthesize, 'amber', 'eng'),
  async fetchCatalogue(send, fields) {
    const answer = await send({ url: `${base}/data/voices/all-v2.json` })
    const models = answer.json<Record<string, Record<string, unknown>>>()
    const voices = models[textField(fields, 'model_id')] ?? Object.values(models)[0] ?? {}
    const listed = Object.entries(voices).flatMap(([language, names]) =>
      (Array.isArray(names) ? names : [])
        .filter((name): name is string => typeof name === 'string')
        .map((name) => ({ languages: [language], value: name, name: name.charAt(0).toUpperCase() + name.slice(1) })),
    )
    return {
      tts: groupByLanguage(listed, (code) => languages[code] ?? code),
      models: Object.keys(models).map((value) => ({ value, name: value })),
    }
  },
  synthesize,
}
