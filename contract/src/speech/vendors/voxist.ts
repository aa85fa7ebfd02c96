import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults } from './fields'

export const voxist: Vendor = {
  vendor: 'voxist',
  name: 'Voxist',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'Voxist', url: 'https://www.voxist.com/' },
  fields: [apiKeyField],
}
