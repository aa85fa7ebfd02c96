import type { Vendor } from '../vendor'
import { apiKey, english } from './fields'

export const deepgramflux: Vendor = {
  vendor: 'deepgramflux',
  name: 'Deepgram Flux',
  wireName: 'deepgram flux',
  synthesis: null,
  recognition: { ...english, recognizesAnyLanguage: true },
  page: { name: 'Deepgram console', url: 'https://console.deepgram.com/' },
  fields: [apiKey],
}
