import type { Vendor } from '../vendor'
import { english, hostPort } from './fields'

export const nvidia: Vendor = {
  vendor: 'nvidia',
  name: 'Nvidia',
  synthesis: { ...english, hasNoPreview: true },
  recognition: english,
  page: { name: 'NVIDIA Riva documentation', url: 'https://docs.nvidia.com/deeplearning/riva/' },
  fields: [
    hostPort('riva_server_uri', 'Riva server URI', {
      required: true,
      missingMessage: 'invalid riva server uri: riva_server_uri is required',
    }),
  ],
}
