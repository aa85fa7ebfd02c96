import type { Vendor } from '../vendor'
import { apiKeyField, englishDefaults, createHostPortField, createModelField, optionsFromNames } from './fields'

const endpoints = optionsFromNames({ '': 'US (default)', 'api.eu.deepgram.com': 'EU' })
const hostedCondition = { deployment: 'hosted' }
const containerCondition = { deployment: 'container' }

export const deepgram: Vendor = {
  vendor: 'deepgram',
  name: 'Deepgram',
  synthesis: { ...englishDefaults, usesModelsAsVoices: true },
  recognition: englishDefaults,
  page: { name: 'Deepgram console', url: 'https://console.deepgram.com/' },
  fields: [
    {
      kind: 'mode',
      name: 'deployment',
      label: 'Where it runs',
      initialValue: 'hosted',
      options: optionsFromNames({ hosted: 'Hosted by Deepgram', container: 'On-premises container' }),
      derive: ({ deepgram_stt_uri, deepgram_tts_uri }) =>
        deepgram_stt_uri && deepgram_tts_uri ? 'container' : 'hosted',
    },
    { ...apiKeyField, required: hostedCondition },
    {
      kind: 'choice',
      name: 'deepgram_stt_uri',
      label: 'STT endpoint',
      options: endpoints,
      allowsCustom: true,
      addressFormat: 'host',
      direction: 'recognition',
      condition: hostedCondition,
      // Deepgram's hosted endpoints require TLS.
      impliedValues: { deepgram_stt_use_tls: 1 },
    },
    createHostPortField('deepgram_stt_uri', 'Container URI for STT', {
      required: true,
      condition: containerCondition,
      addressFormat: 'host-port-or-url',
    }),
    { kind: 'flag', name: 'deepgram_stt_use_tls', label: 'Use TLS for STT', condition: containerCondition },
    createHostPortField('deepgram_tts_uri', 'Container URI for TTS', {
      required: true,
      condition: containerCondition,
      addressFormat: 'host-port-or-url',
      help: 'Uses HTTP. For TLS, start with https://.',
    }),
    createModelField([], { required: undefined, catalogueKey: 'sttModels' }),
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
