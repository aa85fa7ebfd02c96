import type { Vendor } from '../vendor'
import { englishDefaults } from './fields'

export const houndify: Vendor = {
  vendor: 'houndify',
  name: 'SoundHound',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'Houndify dashboard', url: 'https://www.houndify.com/dashboard' },
  fields: [
    { kind: 'text', name: 'client_id', label: 'Client ID', required: true, isImmutable: true },
    { kind: 'secret', name: 'client_key', label: 'Client key', required: true },
    { kind: 'text', name: 'user_id', label: 'User ID', required: true, isImmutable: true },
    {
      kind: 'text',
      name: 'houndify_server_uri',
      label: 'Server URI',
      addressFormat: 'url',
      placeholder: 'wss://apiws-polaris.houndify.com/v2/transcription',
      section: 'Custom endpoints',
    },
  ],
}
