import type { Vendor } from '../vendor'
import { english, hostPort } from './fields'

const fold = 'On-premises'
/** Who runs either part needs no identity at the vendor's. */
const hosted = { nuance_tts_on_premises: 0, nuance_stt_on_premises: 0 } as const

const missing =
  'invalid nuance speech credential: either entered client id and secret or entered a nuance_tts_uri or nuance_stt_uri'

export const nuance: Vendor = {
  vendor: 'nuance',
  name: 'Nuance',
  synthesis: { ...english, unheard: true },
  recognition: english,
  page: { name: 'Nuance Mix', url: 'https://mix.nuance.com/' },
  fields: [
    {
      kind: 'text',
      name: 'client_id',
      label: 'Client ID',
      required: hosted,
      missing,
      fixed: true,
    },
    { kind: 'secret', name: 'secret', label: 'Secret', required: hosted, missing },
    {
      kind: 'tick',
      name: 'nuance_tts_on_premises',
      label: 'Use on-premises TTS',
      direction: 'synthesis',
      told: ({ nuance_tts_uri }) => Boolean(nuance_tts_uri),
      fold,
    },
    hostPort('nuance_tts_uri', 'TTS URI', {
      required: true,
      direction: 'synthesis',
      when: { nuance_tts_on_premises: 1 },
      fold,
    }),
    {
      kind: 'tick',
      name: 'nuance_stt_on_premises',
      label: 'Use on-premises STT',
      direction: 'recognition',
      told: ({ nuance_stt_uri }) => Boolean(nuance_stt_uri),
      fold,
    },
    hostPort('nuance_stt_uri', 'STT URI', {
      required: true,
      direction: 'recognition',
      when: { nuance_stt_on_premises: 1 },
      fold,
    }),
  ],
}
