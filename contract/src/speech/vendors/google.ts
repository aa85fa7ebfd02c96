import type { Vendor } from '../vendor'
import { englishDefaults } from './fields'

export const google: Vendor = {
  vendor: 'google',
  name: 'Google',
  synthesis: { ...englishDefaults, voice: 'en-US-Standard-C' },
  recognition: englishDefaults,
  hasCustomVoices: true,
  page: {
    name: 'Google Cloud service accounts',
    url: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
  },
  fields: [
    {
      kind: 'service-key',
      name: 'service_key',
      label: 'Service key',
      required: true,
      missingMessage: 'invalid json key: service_key is required',
      help: 'The JSON file of a service account that may use text-to-speech and speech-to-text.',
    },
    {
      kind: 'text',
      name: 'model_id',
      label: 'Model',
      direction: 'synthesis',
      placeholder: 'gemini-2.5-flash-tts',
      help: 'Only for voices that need a model, such as Gemini voices.',
    },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
