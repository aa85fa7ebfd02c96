import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, optionsFromNames } from './fields'

export const gladia: Vendor = {
  vendor: 'gladia',
  name: 'Gladia',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'Gladia dashboard', url: 'https://app.gladia.io/' },
  fields: [
    { ...apiKeyField, requiredInFormOnly: true },
    {
      kind: 'choice',
      name: 'region',
      label: 'Region',
      required: true,
      requiredInFormOnly: true,
      options: optionsFromNames({ 'us-west': 'US West', 'eu-west': 'EU West' }),
    },
  ],
}
