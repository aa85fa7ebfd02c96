import type { Vendor } from '../vendor'
import { apiKey, english } from './fields'

export const wellsaid: Vendor = {
  vendor: 'wellsaid',
  name: 'WellSaid',
  synthesis: english,
  recognition: null,
  page: { name: 'WellSaid', url: 'https://wellsaidlabs.com/' },
  fields: [apiKey],
}
