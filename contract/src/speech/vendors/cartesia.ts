import type { Vendor } from '../vendor'
import { apiKey, model, options, optionsFromValues } from './fields'

const english = { languages: ['en'] }

export const cartesia: Vendor = {
  vendor: 'cartesia',
  name: 'Cartesia',
  synthesis: english,
  recognition: english,
  page: { name: 'Cartesia console', url: 'https://play.cartesia.ai/keys' },
  fields: [
    apiKey,
    model(
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
    model(optionsFromValues('ink-whisper'), {
      name: 'stt_model_id',
      label: 'Speech-to-text model',
      direction: 'recognition',
      catalogueKey: 'sttModels',
    }),
    {
      ...options({ speed: 0, emotion: 'positivity:high' }, 'https://docs.cartesia.ai/api-reference/tts/bytes'),
      direction: 'synthesis',
    },
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
