import {
  asText,
  bySaying,
  listedRows,
  rowsOf,
  soundIn,
  text,
  withProtocol,
  type Parts,
  type VendorApi,
} from '../vendor'

const base = (parts: Parts) => withProtocol(text(parts, 'api_uri') || 'api.elevenlabs.io')
const keyIn = (parts: Parts) => ({ 'xi-api-key': text(parts, 'api_key') })

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

const told = ['accent', 'description', 'age', 'gender', 'use case', 'use_case']

const voiceName = ({ name = '', category, labels }: Partial<Voice>) => {
  const traits = told.map((each) => asText(labels?.[each])).filter(Boolean)
  return `${name}${category ? ` (${category})` : ''}${traits.length > 0 ? ` - (${traits.join(', ')})` : ''}`
}

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice }) => {
  const url = `${base(parts)}/v1/text-to-speech/${encodeURIComponent(voice)}`
  const model_id = text(parts, 'model_id')
  const json = { text: words, ...(model_id ? { model_id } : {}) }
  return soundIn(await ask({ url, headers: { ...keyIn(parts), accept: 'audio/mpeg' }, json }))
}

export const elevenlabs: VendorApi = {
  speaks: bySaying(says, '21m00Tcm4TlvDq8ikWAM'),
  async lists(ask, parts) {
    const [models, voices] = await Promise.all([
      ask({ url: `${base(parts)}/v1/models`, headers: keyIn(parts) }),
      ask({ url: `${base(parts)}/v1/voices`, headers: keyIn(parts) }),
    ])
    const known = listedRows<Model>(models.json<unknown[]>())
    const chosen = known.find(({ model_id }) => model_id === text(parts, 'model_id')) ?? known[0]
    const offered = listedRows<Voice>(voices.json<{ voices: unknown }>().voices).map((voice) => ({
      value: voice.voice_id ?? '',
      name: voiceName(voice),
    }))
    const languages = rowsOf<{ language_id: string; name: string }>(chosen?.languages)
    return {
      tts: languages.map(({ language_id: value = '', name = value }) => ({ value, name, voices: offered })),
      models: known
        .filter(({ can_do_text_to_speech }) => can_do_text_to_speech !== false)
        .map(({ model_id: value = '', name = value }) => ({ value, name })),
    }
  },
  says,
}
