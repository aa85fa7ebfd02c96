import type { Vendor } from '../vendor'
import { apiKey, english, model, plain } from './fields'

export const openai: Vendor = {
  vendor: 'openai',
  name: 'OpenAI',
  synthesis: null,
  recognition: english,
  page: { name: 'OpenAI platform', url: 'https://platform.openai.com/api-keys' },
  fields: [apiKey, model(plain('whisper-1', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe'), { listed: 'sttModels' })],
}
