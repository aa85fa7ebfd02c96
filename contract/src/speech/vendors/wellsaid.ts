import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults } from './fields'

export const wellsaid: Vendor = {
  vendor: 'wellsaid',
  name: 'WellSaid',
  synthesis: englishDefaults,
  recognition: null,
  page: { name: 'WellSaid', url: 'https://wellsaidlabs.com/' },
  fields: [apiKeyField],
}
