import type { Vendor } from '../vendor'
import { apiKeyField, createModelField, optionsFromNames, createOptionsField, optionsFromValues } from './fields'

export const playht: Vendor = {
  vendor: 'playht',
  name: 'PlayHT',
  synthesis: { languages: ['en-US', 'english'] },
  recognition: null,
  page: { name: 'PlayHT studio', url: 'https://play.ht/studio/api-access' },
  fields: [
    {
      kind: 'mode',
      name: 'deployment',
      label: 'Where it runs',
      initialValue: 'hosted',
      options: optionsFromNames({ hosted: 'Hosted by PlayHT', on_premises: 'On-premises' }),
      derive: ({ playht_tts_uri }) => (playht_tts_uri ? 'on_premises' : 'hosted'),
    },
    {
      kind: 'text',
      name: 'playht_tts_uri',
      label: 'On-premises URI',
      required: true,
      addressFormat: 'host',
      placeholder: 'host:port',
      help: 'host:port uses HTTP. For TLS, enter https://host:port.',
      condition: { deployment: 'on_premises' },
    },
    { kind: 'text', name: 'user_id', label: 'User ID', required: true, isImmutable: true },
    apiKeyField,
    createModelField(optionsFromValues('Play3.0', 'PlayHT2.0-turbo', 'PlayHT2.0', 'PlayHT1.0', 'PlayDialog'), {
      name: 'voice_engine',
      missingMessage: 'invalid voice_engine speech credential: voice_engine is required',
    }),
    createOptionsField(
      {
        quality: 'medium',
        speed: 1,
        seed: 1,
        temperature: 1,
        emotion: 'female_happy',
        voice_guidance: 3,
        style_guidance: 20,
        text_guidance: 1,
      },
      'https://docs.play.ht/reference/api-generate-tts-audio-stream',
    ),
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
