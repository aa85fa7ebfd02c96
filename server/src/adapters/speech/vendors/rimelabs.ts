import { bySaying, byLanguage, soundIn, text, type VendorApi } from '../vendor'

const base = 'https://users.rime.ai'

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice, language }) => {
  const modelId = text(parts, 'model_id')
  const answer = await ask({
    url: `${base}/v1/rime-tts`,
    headers: { authorization: `Bearer ${text(parts, 'api_key')}`, accept: 'audio/mp3' },
    json: { text: words, speaker: voice, lang: language, ...(modelId ? { modelId } : {}) },
  })
  return soundIn(answer)
}

/** Its languages have three letters. */
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
  speaks: bySaying(says, 'amber', 'eng'),
  async lists(ask, parts) {
    const answer = await ask({ url: `${base}/data/voices/all-v2.json` })
    const models = answer.json<Record<string, Record<string, unknown>>>()
    const voices = models[text(parts, 'model_id')] ?? Object.values(models)[0] ?? {}
    const listed = Object.entries(voices).flatMap(([language, names]) =>
      (Array.isArray(names) ? names : [])
        .filter((name): name is string => typeof name === 'string')
        .map((name) => ({ languages: [language], value: name, name: name.charAt(0).toUpperCase() + name.slice(1) })),
    )
    return {
      tts: byLanguage(listed, (code) => languages[code] ?? code),
      models: Object.keys(models).map((value) => ({ value, name: value })),
    }
  },
  says,
}
