import {
  groupByLanguage,
  createSynthesisTest,
  readRequiredRows,
  decodeAudio,
  readTextField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const baseUrl = 'https://api.inworld.ai/tts/v1'
const buildAuthHeaders = (fields: CredentialFields) => ({ authorization: `Basic ${readTextField(fields, 'api_key')}` })

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const response = await send({
    url: `${baseUrl}/voice`,
    headers: buildAuthHeaders(fields),
    json: { text, voiceId: voice, modelId: readTextField(fields, 'model_id') || 'inworld-tts-1' },
  })
  return decodeAudio(response.json<{ audioContent: string }>().audioContent)
}

interface Voice {
  voiceId: string
  displayName: string
  languages: unknown
}

export const inworld: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, 'Ashley', 'en'),
  async fetchCatalogue(send, fields) {
    const response = await send({ url: `${baseUrl}/voices`, headers: buildAuthHeaders(fields) })
    const listedVoices = readRequiredRows<Voice>(response.json<{ voices: unknown }>().voices).map(
      ({ voiceId = '', displayName = voiceId, languages }) => ({
        languages: toTexts(languages),
        value: voiceId,
        name: displayName,
      }),
    )
    return { tts: groupByLanguage(listedVoices) }
  },
  synthesize,
}
