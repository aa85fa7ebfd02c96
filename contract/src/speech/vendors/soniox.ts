import type { Vendor } from '../vendor'
import { apiKey, english } from './fields'

export const soniox: Vendor = {
  vendor: 'soniox',
  name: 'Soniox',
  synthesis: null,
  recognition: english,
  page: { name: 'Soniox console', url: 'https://console.soniox.com/' },
  fields: [apiKey],
  listSource: { access: 'credential', onFailure: 'table' },
}
