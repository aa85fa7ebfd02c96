import { byLanguage, bySaying, listedRows, soundOf, text, textsOf, type Parts, type VendorApi } from '../vendor'

const base = 'https://api.inworld.ai/tts/v1'
const keyIn = (parts: Parts) => ({ authorization: `Basic ${text(parts, 'api_key')}` })

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice }) => {
  const answer = await ask({
    url: `${base}/voice`,
    headers: keyIn(parts),
    json: { text: words, voiceId: voice, modelId: text(parts, 'model_id') || 'inworld-tts-1' },
  })
  return soundOf(answer.json<{ audioContent: string }>().audioContent)
}

interface Voice {
  voiceId: string
  displayName: string
  languages: unknown
}

export const inworld: VendorApi = {
  speaks: bySaying(says, 'Ashley', 'en'),
  async lists(ask, parts) {
    const answer = await ask({ url: `${base}/voices`, headers: keyIn(parts) })
    const listed = listedRows<Voice>(answer.json<{ voices: unknown }>().voices).map(
      ({ voiceId = '', displayName = voiceId, languages }) => ({
        languages: textsOf(languages),
        value: voiceId,
        name: displayName,
      }),
    )
    return { tts: byLanguage(listed) }
  },
  says,
}
