import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, optionsFromNames } from './fields'

export const assemblyai: Vendor = {
  vendor: 'assemblyai',
  name: 'AssemblyAI',
  synthesis: null,
  recognition: englishDefaults,
  page: { name: 'AssemblyAI dashboard', url: 'https://www.assemblyai.com/app/api-keys' },
  fields: [
    apiKeyField,
    {
      kind: 'choice',
      name: 'service_version',
      label: 'Service version',
      options: optionsFromNames({ v2: 'V2', v3: 'V3' }),
      initialValue: 'v2',
    },
  ],
}
