import type { Vendor } from '../vendor'
import { apiKey, english } from './fields'

export const voxist: Vendor = {
  vendor: 'voxist',
  name: 'Voxist',
  synthesis: null,
  recognition: english,
  page: { name: 'Voxist', url: 'https://www.voxist.com/' },
  fields: [apiKey],
}
