import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults } from './fields'

export const soniox: Vendor = {
  vendor: 'soniox',
  name: 'Soniox',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'Soniox console', url: 'https://console.soniox.com/' },
  fields: [apiKeyField],
  listSource: { access: 'credential', onFailure: 'table' },
}
