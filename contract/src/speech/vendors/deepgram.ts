import type { Vendor } from '../vendor'
import { apiKey, english, hostPort, model, optionsFromNames } from './fields'

const endpoints = optionsFromNames({ '': 'US (Default)', 'api.eu.deepgram.com': 'EU-hosted' })
const hosted = { deployment: 'hosted' }
const container = { deployment: 'container' }

export const deepgram: Vendor = {
  vendor: 'deepgram',
  name: 'Deepgram',
  synthesis: { ...english, usesModelsAsVoices: true },
  recognition: english,
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
    { ...apiKey, required: hosted },
    {
      kind: 'choice',
      name: 'deepgram_stt_uri',
      label: 'STT endpoint',
      options: endpoints,
      allowsCustom: true,
      form: 'host',
      direction: 'recognition',
      condition: hosted,
      // Deepgram's hosted endpoints require TLS.
      impliedValues: { deepgram_stt_use_tls: 1 },
    },
    hostPort('deepgram_stt_uri', 'Container URI for STT', {
      required: true,
      condition: container,
      form: 'host-port-or-url',
    }),
    { kind: 'flag', name: 'deepgram_stt_use_tls', label: 'Use TLS for STT', condition: container },
    hostPort('deepgram_tts_uri', 'Container URI for TTS', {
      required: true,
      condition: container,
      form: 'host-port-or-url',
      help: 'Reached over HTTP, unless it begins with https://.',
    }),
    model([], { required: undefined, catalogueKey: 'sttModels' }),
  ],
  listSource: { access: 'credential', onFailure: 'refusal' },
}
