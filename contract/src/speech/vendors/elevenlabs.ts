import type { Vendor } from '../vendor'
import { apiKeyField, createModelField, optionsFromNames, createOptionsField, optionsFromValues } from './fields'

export const elevenlabs: Vendor = {
  vendor: 'elevenlabs',
  name: 'ElevenLabs',
  wireName: 'elevenLabs',
  synthesis: { languages: ['en'] },
  recognition: null,
  page: { name: 'ElevenLabs settings', url: 'https://elevenlabs.io/app/settings/api-keys' },
  fields: [
    {
      kind: 'choice',
      name: 'api_uri',
      label: 'API endpoint',
      required: true,
      requiredInFormOnly: true,
      options: optionsFromNames({
        'api.elevenlabs.io': 'US (default)',
        'api.eu.residency.elevenlabs.io': 'EU',
        'api.in.residency.elevenlabs.io': 'India',
      }),
      allowsCustom: true,
      addressFormat: 'host',
      initialValue: 'api.elevenlabs.io',
    },
    apiKeyField,
    createModelField(
      optionsFromValues(
        'eleven_turbo_v2',
        'eleven_turbo_v2_5',
        'eleven_flash_v2',
        'eleven_flash_v2_5',
        'eleven_multilingual_v1',
        'eleven_multilingual_v2',
        'eleven_multilingual_sts_v2',
        'eleven_monolingual_v1',
        'eleven_english_sts_v2',
      ),
    ),
    createOptionsField(
      {
        optimize_streaming_latency: 3,
        voice_settings: { stability: 0.5, similarity_boost: 0.5, use_speaker_boost: true },
      },
      'https://elevenlabs.io/docs/api-reference/streaming',
    ),
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
