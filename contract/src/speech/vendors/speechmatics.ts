import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, optionsFromNames } from './fields'

export const speechmatics: Vendor = {
  vendor: 'speechmatics',
  name: 'Speechmatics',
  isAdditional: true,
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'Speechmatics portal', url: 'https://portal.speechmatics.com/settings/api-keys' },
  fields: [
    apiKeyField,
    {
      kind: 'choice',
      name: 'speechmatics_stt_uri',
      label: 'Endpoint',
      required: true,
      options: optionsFromNames({
        'eu2.rt.speechmatics.com': 'EU (EU2 - On-demand)',
        'neu.rt.speechmatics.com': 'EU (EU1 - Enterprise)',
        'wus.rt.speechmatics.com': 'US (US1 - Enterprise)',
      }),
      allowsCustom: true,
      addressFormat: 'host',
      help: 'A region of the vendor, or a host of your own.',
    },
    { kind: 'json', name: 'options', label: 'Options', section: 'Options' },
  ],
}
