import type { Vendor } from '../vendor'
import { english, hostPort } from './fields'

const section = 'On-premises'
/** Client ID and secret are required only if both directions are hosted. */
const hosted = { nuance_tts_on_premises: 0, nuance_stt_on_premises: 0 } as const

const missing =
  'invalid nuance speech credential: either entered client id and secret or entered a nuance_tts_uri or nuance_stt_uri'

export const nuance: Vendor = {
  vendor: 'nuance',
  name: 'Nuance',
  synthesis: { ...english, hasNoPreview: true },
  recognition: english,
  page: { name: 'Nuance Mix', url: 'https://mix.nuance.com/' },
  fields: [
    {
      kind: 'text',
      name: 'client_id',
      label: 'Client ID',
      required: hosted,
      missingMessage: missing,
      isImmutable: true,
    },
    { kind: 'secret', name: 'secret', label: 'Secret', required: hosted, missingMessage: missing },
    {
      kind: 'checkbox',
      name: 'nuance_tts_on_premises',
      label: 'Use on-premises TTS',
      direction: 'synthesis',
      derive: ({ nuance_tts_uri }) => Boolean(nuance_tts_uri),
      section,
    },
    hostPort('nuance_tts_uri', 'TTS URI', {
      required: true,
      direction: 'synthesis',
      condition: { nuance_tts_on_premises: 1 },
      section,
    }),
    {
      kind: 'checkbox',
      name: 'nuance_stt_on_premises',
      label: 'Use on-premises STT',
      direction: 'recognition',
      derive: ({ nuance_stt_uri }) => Boolean(nuance_stt_uri),
      section,
    },
    hostPort('nuance_stt_uri', 'STT URI', {
      required: true,
      direction: 'recognition',
      condition: { nuance_stt_on_premises: 1 },
      section,
    }),
  ],
}
