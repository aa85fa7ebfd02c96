import type { Vendor } from '../vendor'
import { apiKey, english, model, optionsFromValues } from './fields'

export const whisper: Vendor = {
  vendor: 'whisper',
  name: 'Whisper',
  synthesis: english,
  recognition: null,
  page: { name: 'OpenAI platform', url: 'https://platform.openai.com/api-keys' },
  fields: [apiKey, model(optionsFromValues('tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'))],
}
