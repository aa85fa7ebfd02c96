/** Alert types of the platform, including those of versions after version 1. */
export const alertTypes = [
  'webhook-failure',
  'webhook-connection-failure',
  'webhook-url-notfound',
  'webhook-auth-failure',
  'invalid-app-payload',
  'no-tts',
  'no-stt',
  'tts-failure',
  'stt-failure',
  'tts-streaming-connection-failure',
  'no-carrier',
  'account-call-limit',
  'account-device-limit',
  'account-api-limit',
  'service-provider-call-limit',
  'service-provider-device-limit',
  'service-provider-api-limit',
  'play-url-notfound',
  'alert-from-application',
  'llm-failure',
]

const typeNames = new Map(
  Object.entries({
    'webhook-url-notfound': 'Webhook URL not found',
    'play-url-notfound': 'Audio file not found',
    'invalid-app-payload': 'Invalid application response',
    'no-tts': 'No TTS credentials',
    'no-stt': 'No STT credentials',
    'no-llm': 'No LLM credentials',
  }),
)

const acronyms = /\b(tts|stt|api|url|llm)\b/g

/** Formats an alert type: 'webhook-connection-failure' becomes 'Webhook connection failure'. */
export const formatAlertType = (type: string | null): string => {
  if (!type) return ''
  const label = typeNames.get(type) ?? type.replaceAll('-', ' ').replace(acronyms, (acronym) => acronym.toUpperCase())
  return label.charAt(0).toUpperCase() + label.slice(1)
}
