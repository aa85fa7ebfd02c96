import type { Vendor } from '../vendor'
import { apiKey, english, optionsFromNames } from './fields'

const onPremises = { deployment: 'on_premises' }

export const resemble: Vendor = {
  vendor: 'resemble',
  name: 'Resemble',
  synthesis: english,
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
    apiKey,
    {
      kind: 'text',
      name: 'resemble_tts_uri',
      label: 'On-premises URI',
      required: true,
      form: 'host',
      placeholder: 'host:port',
      condition: onPremises,
    },
    { kind: 'flag', name: 'resemble_tts_use_tls', label: 'Use TLS', condition: onPremises },
  ],
  listSource: { access: 'credential', onFailure: 'table' },
}
