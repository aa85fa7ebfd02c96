import type { Vendor } from '../vendor'
import { apiKeyField, createModelField, createOptionsField, optionsFromValues } from './fields'

export const rimelabs: Vendor = {
  vendor: 'rimelabs',
  name: 'RimeLabs',
  synthesis: { languages: ['eng'] },
  recognition: null,
  page: { name: 'Rime dashboard', url: 'https://rime.ai/dashboard/tokens' },
  fields: [
    apiKeyField,
    createModelField(optionsFromValues('arcana', 'mist', 'mistv2', 'v1')),
    createOptionsField(
      { speedAlpha: 1, reduceLatency: true },
      'https://rimelabs.mintlify.app/api-reference/endpoint/streaming-mp3',
    ),
  ],
  listSource: { access: 'nothing', onFailure: 'refusal' },
}
