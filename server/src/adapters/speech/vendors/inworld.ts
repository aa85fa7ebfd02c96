import {
  groupByLanguage,
  testBySynthesis,
  requiredRows,
  decodeAudio,
  textField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const base = 'https://api.inworld.ai/tts/v1'
const authHeaders = (fields: CredentialFields) => ({ authorization: `Basic ${textField(fields, 'api_key')}` })

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const answer = await send({
    url: `${base}/voice`,
    headers: authHeaders(fields),
    json: { text, voiceId: voice, modelId: textField(fields, 'model_id') || 'inworld-tts-1' },
  })
  return decodeAudio(answer.json<{ audioContent: string }>().audioContent)
}

interface Voice {
  voiceId: string
  displayName: string
  languages: unknown
}

export const inworld: VendorApi = {
  testSynthesis: testBySynthesis(synthesize, 'Ashley', 'en'),
  async fetchCatalogue(send, fields) {
    const answer = await send({ url: `${base}/voices`, headers: authHeaders(fields) })
    const listed = requiredRows<Voice>(answer.json<{ voices: unknown }>().voices).map(
      ({ voiceId = '', displayName = voiceId, languages }) => ({
        languages: toTexts(languages),
        value: voiceId,
        name: displayName,
      }),
    )
    return { tts: groupByLanguage(listed) }
  },
  synthesize,
}
