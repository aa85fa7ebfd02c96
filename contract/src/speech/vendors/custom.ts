import type { Vendor } from '../vendor'

/** A speech server that an installation runs itself, with its own URLs and name. */
export const custom: Vendor = {
  vendor: 'custom',
  name: 'Custom',
  isNamedByInstallation: true,
  synthesis: { languages: [] },
  recognition: { languages: [] },
  fields: [
    { kind: 'secret', name: 'auth_token', label: 'Authentication token', emptyValue: '' },
    {
      kind: 'text',
      name: 'custom_tts_url',
      label: 'TTS HTTP URL',
      addressFormat: 'url',
      placeholder: 'https://',
      direction: 'synthesis',
      required: { custom_tts_streaming_url: '' },
      requiredInFormOnly: true,
      help: 'The HTTP URL, the streaming URL, or both are required.',
    },
    {
      kind: 'text',
      name: 'custom_tts_streaming_url',
      label: 'TTS streaming URL',
      addressFormat: 'url',
      placeholder: 'wss://',
      direction: 'synthesis',
    },
    {
      kind: 'text',
      name: 'custom_stt_url',
      label: 'STT WebSocket URL',
      addressFormat: 'url',
      placeholder: 'wss://',
      direction: 'recognition',
      required: true,
      requiredInFormOnly: true,
    },
  ],
}
