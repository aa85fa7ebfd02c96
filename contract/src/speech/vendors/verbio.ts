import type { Vendor } from '../vendor'
import { englishDefaults, optionsFromNames } from './fields'

export const verbio: Vendor = {
  vendor: 'verbio',
  name: 'Verbio',
  synthesis: englishDefaults,
  recognition: englishDefaults,
  page: { name: 'Verbio speech center', url: 'https://dashboard.speechcenter.verbio.com/' },
  fields: [
    { kind: 'text', name: 'client_id', label: 'Client ID', required: true, isImmutable: true },
    {
      kind: 'secret',
      name: 'client_secret',
      label: 'Client secret',
      required: true,
      missingMessage: 'invalid verbio speech credential: secret is required',
    },
    {
      kind: 'choice',
      name: 'engine_version',
      label: 'Engine version',
      required: true,
      // The API names the wrong field here, and existing clients expect that.
      missingMessage: 'invalid verbio speech credential: client_id is required',
      options: optionsFromNames({ V1: 'V1', V2: 'V2' }),
      initialValue: 'V1',
    },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
