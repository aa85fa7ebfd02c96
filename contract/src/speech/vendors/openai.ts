import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, createModelField, optionsFromValues } from './fields'

export const openai: Vendor = {
  vendor: 'openai',
  name: 'OpenAI',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'OpenAI platform', url: 'https://platform.openai.com/api-keys' },
  fields: [
    apiKeyField,
    createModelField(optionsFromValues('whisper-1', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe'), {
      catalogueKey: 'sttModels',
    }),
  ],
}
