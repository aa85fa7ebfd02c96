import type { Vendor } from '../vendor'
import { englishDefaults, createHostPortField } from './fields'

export const nvidia: Vendor = {
  vendor: 'nvidia',
  name: 'Nvidia',
  synthesis: { ...englishDefaults, hasNoPreview: true },
  recognition: englishDefaults,
  page: { name: 'NVIDIA Riva documentation', url: 'https://docs.nvidia.com/deeplearning/riva/' },
  fields: [
    createHostPortField('riva_server_uri', 'Riva server URI', {
      required: true,
      missingMessage: 'invalid riva server uri: riva_server_uri is required',
    }),
  ],
}
