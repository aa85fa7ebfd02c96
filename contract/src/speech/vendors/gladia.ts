import type { Vendor } from '../vendor'
import { apiKey, english, named } from './fields'

export const gladia: Vendor = {
  vendor: 'gladia',
  name: 'Gladia',
  synthesis: null,
  recognition: english,
  page: { name: 'Gladia dashboard', url: 'https://app.gladia.io/' },
  fields: [
    { ...apiKey, patient: true },
    {
      kind: 'choice',
      name: 'region',
      label: 'Region',
      required: true,
      patient: true,
      options: named({ 'us-west': 'US West', 'eu-west': 'EU West' }),
    },
  ],
}
