import type { Catalogue } from '@trunkline/contract/speech/catalogue'

const options = (...values: string[]) => values.map((value) => ({ value, name: `${value} (name)` }))
const ttsLanguages = (languages: Record<string, string[]>) =>
  Object.entries(languages).map(([value, voices]) => ({ value, name: `${value} (name)`, voices: options(...voices) }))

/** The vendors' catalogues; a server lists nothing for other vendors. */
const catalogues: Record<string, Catalogue> = {
  google: {
    tts: ttsLanguages({ 'de-DE': ['de-DE-Standard-A'], 'en-US': ['en-US-Standard-A', 'en-US-Standard-C'] }),
    stt: options('de-DE', 'en-US'),
  },
  'google eu': { tts: ttsLanguages({ 'fr-FR': ['fr-FR-Standard-A'] }), stt: options('fr-FR') },
  elevenlabs: { tts: ttsLanguages({ de: ['Hans'], en: ['Rachel', 'Adam'] }) },
  deepgram: { models: options('aura-asteria-en', 'aura-2-thalia-en'), stt: options('en-US') },
  'deepgram recognition only': { stt: options('en-US') },
  microsoft: { tts: ttsLanguages({ 'zh-CN-sichuan': ['Yunxi'], 'zh-CN': ['Xiaoxiao'] }), stt: options('zh-CN') },
  cobalt: { stt: options('ru_ru-8khz', 'en_US-8khz') },
}

const credential = (vendor: string, label: string | null = null, overrides: object = {}) => ({
  speech_credential_sid: `${vendor} ${label}`,
  account_sid: null,
  vendor,
  label,
  use_for_tts: 1,
  use_for_stt: 1,
  ...overrides,
})

const credentials = [
  credential('google'),
  credential('google', 'eu'),
  credential('deepgram', 'recognition only', { use_for_tts: 0 }),
  credential('custom:Voice Mill', null, { use_for_stt: 0 }),
]

const voices = [{ google_custom_voice_sid: 'v1', name: 'Our receptionist' }]

/** Speech responses of a server that lists languages and voices of the vendors above. */
export const respondWithSpeechLists = (url: URL): unknown => {
  if (url.pathname.endsWith('/SpeechCredentials')) return credentials
  if (url.pathname.endsWith('/GoogleCustomVoices')) return url.searchParams.get('label') ? [] : voices
  if (!url.pathname.endsWith('/speech/supportedLanguagesAndVoices')) return undefined
  const { vendor, label = '' } = Object.fromEntries(url.searchParams)
  return catalogues[`${vendor} ${label}`.trim()]
}
