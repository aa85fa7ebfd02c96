import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, optionsFromNames } from './fields'

const onPremisesCondition = { deployment: 'on_premises' }

export const resemble: Vendor = {
  vendor: 'resemble',
  name: 'Resemble',
  synthesis: englishDefaults,
  recognition: null,
  page: { name: 'Resemble account', url: 'https://app.resemble.ai/account/api' },
  fields: [
    {
      kind: 'mode',
      name: 'deployment',
      label: 'Where it runs',
      initialValue: 'hosted',
      options: optionsFromNames({ hosted: 'Hosted by Resemble', on_premises: 'On-premises' }),
      derive: ({ resemble_tts_uri }) => (resemble_tts_uri ? 'on_premises' : 'hosted'),
    },
    apiKeyField,
    {
      kind: 'text',
      name: 'resemble_tts_uri',
      label: 'On-premises URI',
      required: true,
      addressFormat: 'host',
      placeholder: 'host:port',
      condition: onPremisesCondition,
    },
    { kind: 'flag', name: 'resemble_tts_use_tls', label: 'Use TLS', condition: onPremisesCondition },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
