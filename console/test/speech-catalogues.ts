import type { Catalogue } from '@trunkline/contract/speech/catalogue'

const offers = (...values: string[]) => values.map((value) => ({ value, name: `${value} by name` }))
const speaking = (languages: Record<string, string[]>) =>
  Object.entries(languages).map(([value, voices]) => ({ value, name: `${value} by name`, voices: offers(...voices) }))

/** The vendors' catalogues; a server lists nothing for other vendors. */
const catalogues: Record<string, Catalogue> = {
  google: {
    tts: speaking({ 'de-DE': ['de-DE-Standard-A'], 'en-US': ['en-US-Standard-A', 'en-US-Standard-C'] }),
    stt: offers('de-DE', 'en-US'),
  },
  'google eu': { tts: speaking({ 'fr-FR': ['fr-FR-Standard-A'] }), stt: offers('fr-FR') },
  elevenlabs: { tts: speaking({ de: ['Hans'], en: ['Rachel', 'Adam'] }) },
  deepgram: { models: offers('aura-asteria-en', 'aura-2-thalia-en'), stt: offers('en-US') },
  'deepgram listens only': { stt: offers('en-US') },
  microsoft: { tts: speaking({ 'zh-CN-sichuan': ['Yunxi'], 'zh-CN': ['Xiaoxiao'] }), stt: offers('zh-CN') },
  cobalt: { stt: offers('ru_ru-8khz', 'en_US-8khz') },
}

const credential = (vendor: string, label: string | null = null, more: object = {}) => ({
  speech_credential_sid: `${vendor} ${label}`,
  account_sid: null,
  vendor,
  label,
  use_for_tts: 1,
  use_for_stt: 1,
  ...more,
})

const credentials = [
  credential('google'),
  credential('google', 'eu'),
  credential('deepgram', 'listens only', { use_for_tts: 0 }),
  credential('custom:Voice Mill', null, { use_for_stt: 0 }),
]

const voices = [{ google_custom_voice_sid: 'v1', name: 'Our receptionist' }]

/** Speech responses of a server that lists languages and voices of the vendors above. */
export const speechLists = (url: URL): unknown => {
  if (url.pathname.endsWith('/SpeechCredentials')) return credentials
  if (url.pathname.endsWith('/GoogleCustomVoices')) return url.searchParams.get('label') ? [] : voices
  if (!url.pathname.endsWith('/speech/supportedLanguagesAndVoices')) return undefined
  const { vendor, label = '' } = Object.fromEntries(url.searchParams)
  return catalogues[`${vendor} ${label}`.trim()]
}
