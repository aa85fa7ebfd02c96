import type { Vendor } from '../vendor'
import { apiKeyField, createModelField, createOptionsField, optionsFromValues } from './fields'

const englishDefaults = { languages: ['en'] }

export const cartesia: Vendor = {
  vendor: 'cartesia',
  name: 'Cartesia',
  synthesis: englishDefaults,
  recognition: englishDefaults,
  page: { name: 'Cartesia console', url: 'https://play.cartesia.ai/keys' },
  fields: [
    apiKeyField,
    createModelField(
      optionsFromValues(
        'sonic',
        'sonic-2',
        'sonic-3',
        'sonic-turbo',
        'sonic-preview',
        'sonic-2024-12-12',
        'sonic-2024-10-19',
        'sonic-english',
        'sonic-multilingual',
      ),
      { label: 'Text-to-speech model', direction: 'synthesis' },
    ),
    createModelField(optionsFromValues('ink-whisper'), {
      name: 'stt_model_id',
      label: 'Speech-to-text model',
      direction: 'recognition',
      catalogueKey: 'sttModels',
    }),
    {
      ...createOptionsField(
        { speed: 0, emotion: 'positivity:high' },
        'https://docs.cartesia.ai/api-reference/tts/bytes',
      ),
      direction: 'synthesis',
    },
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
