import type { Vendor } from '../vendor'
import { createHostPortField } from './fields'

export const cobalt: Vendor = {
  vendor: 'cobalt',
  name: 'Cobalt',
  synthesis: null,
  recognition: { languages: ['en_US-8khz'] },
  page: { name: 'Cobalt documentation', url: 'https://docs.cobaltspeech.com/' },
  fields: [createHostPortField('cobalt_server_uri', 'Server URI', { required: true })],
}
