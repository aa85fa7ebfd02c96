import type { Vendor } from '../vendor'
import { apiKey, english, optionsFromNames } from './fields'

export const assemblyai: Vendor = {
  vendor: 'assemblyai',
  name: 'AssemblyAI',
  synthesis: null,
  recognition: english,
  page: { name: 'AssemblyAI dashboard', url: 'https://www.assemblyai.com/app/api-keys' },
  fields: [
    apiKey,
    {
      kind: 'choice',
      name: 'service_version',
      label: 'Service version',
      options: optionsFromNames({ v2: 'V2', v3: 'V3' }),
      initialValue: 'v2',
    },
  ],
}
