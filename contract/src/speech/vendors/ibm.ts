import type { SpeechOption } from '../catalogue'
import type { Direction, Field, Vendor } from '../vendor'
import { englishDefaults, optionsFromNames } from './fields'

const regions: SpeechOption[] = optionsFromNames({
  'us-south': 'US South (Dallas)',
  'us-east': 'US East (Washington)',
  'eu-de': 'EU DE (Frankfurt)',
  'eu-gb': 'EU GB (London)',
  'au-syd': 'AU South (Sydney)',
  'jp-tok': 'Japan (Tokyo)',
  'kr-seo': 'South Korea (Seoul)',
})

/** IBM sells synthesis and recognition as separate services, each with its own region and API key. */
const listServiceFields = (prefix: 'tts' | 'stt', direction: Direction): Field[] => [
  {
    kind: 'choice',
    name: `${prefix}_region`,
    label: `${prefix.toUpperCase()} region`,
    options: regions,
    direction,
    required: true,
    requiredInFormOnly: true,
  },
  {
    kind: 'secret',
    name: `${prefix}_api_key`,
    label: `${prefix.toUpperCase()} API key`,
    direction,
    required: true,
    requiredInFormOnly: true,
  },
]

export const ibm: Vendor = {
  vendor: 'ibm',
  name: 'IBM',
  synthesis: englishDefaults,
  recognition: englishDefaults,
  page: { name: 'IBM Cloud resources', url: 'https://cloud.ibm.com/resources' },
  fields: [
    ...listServiceFields('tts', 'synthesis'),
    ...listServiceFields('stt', 'recognition'),
    {
      kind: 'text',
      name: 'instance_id',
      label: 'STT instance ID',
      direction: 'recognition',
      required: true,
      requiredInFormOnly: true,
      isImmutable: true,
    },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
