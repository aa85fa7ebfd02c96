import {
  toText,
  createSynthesisTest,
  readRequiredRows,
  readRows,
  extractAudio,
  readTextField,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const getBaseUrl = (fields: CredentialFields) => withProtocol(readTextField(fields, 'api_uri') || 'api.elevenlabs.io')
const buildAuthHeaders = (fields: CredentialFields) => ({ 'xi-api-key': readTextField(fields, 'api_key') })

interface Model {
  model_id: string
  name: string
  can_do_text_to_speech: boolean
  languages: unknown
}
interface Voice {
  voice_id: string
  name: string
  category: string
  labels: Record<string, unknown> | null
}

const traitLabels = ['accent', 'description', 'age', 'gender', 'use case', 'use_case']

const formatVoiceName = ({ name = '', category, labels }: Partial<Voice>) => {
  const traits = traitLabels.map((label) => toText(labels?.[label])).filter(Boolean)
  return `${name}${category ? ` (${category})` : ''}${traits.length > 0 ? ` - (${traits.join(', ')})` : ''}`
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const url = `${getBaseUrl(fields)}/v1/text-to-speech/${encodeURIComponent(voice)}`
  const model_id = readTextField(fields, 'model_id')
  const json = { text, ...(model_id ? { model_id } : {}) }
  return extractAudio(await send({ url, headers: { ...buildAuthHeaders(fields), accept: 'audio/mpeg' }, json }))
}

export const elevenlabs: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, '21m00Tcm4TlvDq8ikWAM'),
  async fetchCatalogue(send, fields) {
    const [models, voices] = await Promise.all([
      send({ url: `${getBaseUrl(fields)}/v1/models`, headers: buildAuthHeaders(fields) }),
      send({ url: `${getBaseUrl(fields)}/v1/voices`, headers: buildAuthHeaders(fields) }),
    ])
    const modelRows = readRequiredRows<Model>(models.json<unknown[]>())
    const selectedModel =
      modelRows.find(({ model_id }) => model_id === readTextField(fields, 'model_id')) ?? modelRows[0]
    const voiceOptions = readRequiredRows<Voice>(voices.json<{ voices: unknown }>().voices).map((voice) => ({
      value: voice.voice_id ?? '',
      name: formatVoiceName(voice),
    }))
    const languages = readRows<{ language_id: string; name: string }>(selectedModel?.languages)
    return {
      tts: languages.map(({ language_id: value = '', name = value }) => ({ value, name, voices: voiceOptions })),
      models: modelRows
        .filter(({ can_do_text_to_speech }) => can_do_text_to_speech !== false)
        .map(({ model_id: value = '', name = value }) => ({ value, name })),
    }
  },
  synthesize,
}
