import type { Vendor } from '../vendor'
import { englishDefaults, createHostPortField } from './fields'

const section = 'On-premises'
/** Client ID and secret are required only if both directions are hosted. */
const hostedCondition = { nuance_tts_on_premises: 0, nuance_stt_on_premises: 0 } as const

const missingMessage =
  'invalid nuance speech credential: either entered client id and secret or entered a nuance_tts_uri or nuance_stt_uri'

export const nuance: Vendor = {
  vendor: 'nuance',
  name: 'Nuance',
  synthesis: { ...englishDefaults, hasNoPreview: true },
  recognition: englishDefaults,
  page: { name: 'Nuance Mix', url: 'https://mix.nuance.com/' },
  fields: [
    {
      kind: 'text',
      name: 'client_id',
      label: 'Client ID',
      required: hostedCondition,
      missingMessage,
      isImmutable: true,
    },
    { kind: 'secret', name: 'secret', label: 'Secret', required: hostedCondition, missingMessage },
    {
      kind: 'checkbox',
      name: 'nuance_tts_on_premises',
      label: 'Use on-premises TTS',
      direction: 'synthesis',
      derive: ({ nuance_tts_uri }) => Boolean(nuance_tts_uri),
      section,
    },
    createHostPortField('nuance_tts_uri', 'TTS URI', {
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
    createHostPortField('nuance_stt_uri', 'STT URI', {
      required: true,
      direction: 'recognition',
      condition: { nuance_stt_on_premises: 1 },
      section,
    }),
  ],
}
