import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, createModelField, optionsFromValues } from './fields'

export const whisper: Vendor = {
  vendor: 'whisper',
  name: 'Whisper',
  synthesis: englishDefaults,
  recognition: null,
  page: { name: 'OpenAI platform', url: 'https://platform.openai.com/api-keys' },
  fields: [apiKeyField, createModelField(optionsFromValues('tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'))],
}
