import type { Vendor } from '../vendor'
import { apiKey, english, model, optionsFromValues } from './fields'

export const openai: Vendor = {
  vendor: 'openai',
  name: 'OpenAI',
  synthesis: null,
  recognition: english,
  page: { name: 'OpenAI platform', url: 'https://platform.openai.com/api-keys' },
  fields: [
    apiKey,
    model(optionsFromValues('whisper-1', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe'), { catalogueKey: 'sttModels' }),
  ],
}
