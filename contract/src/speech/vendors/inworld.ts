import type { Vendor } from '../vendor'
import { apiKeyField, createModelField, createOptionsField, optionsFromValues } from './fields'

export const inworld: Vendor = {
  vendor: 'inworld',
  name: 'Inworld',
  synthesis: { languages: ['en'] },
  recognition: null,
  page: { name: 'Inworld portal', url: 'https://platform.inworld.ai/' },
  fields: [
    apiKeyField,
    createModelField(
      optionsFromValues('inworld-tts-1.5-max', 'inworld-tts-1.5-mini', 'inworld-tts-1', 'inworld-tts-1-max'),
    ),
    createOptionsField(
      { audioConfig: { pitch: 0, speakingRate: 1 }, temperature: 0.8 },
      'https://docs.inworld.ai/api-reference/ttsAPI/texttospeech/synthesize-speech-stream',
    ),
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
