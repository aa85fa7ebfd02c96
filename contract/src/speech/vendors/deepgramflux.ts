import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults } from './fields'

export const deepgramflux: Vendor = {
  vendor: 'deepgramflux',
  name: 'Deepgram Flux',
  wireName: 'deepgram flux',
  synthesis: null,
  recognition: { ...englishDefaults, recognizesAnyLanguage: true },
  page: { name: 'Deepgram console', url: 'https://console.deepgram.com/' },
  fields: [apiKeyField],
}
