const options = (...values: string[]) => values.map((value) => ({ value, name: value }))
const ttsLanguages = (languages: Record<string, string[]>) =>
  Object.entries(languages).map(([value, voices]) => ({ value, name: value, voices: options(...voices) }))

const catalogues: Record<string, unknown> = {
  google: { tts: ttsLanguages({ 'en-US': ['en-US-Standard-A', 'en-US-Standard-C'] }), stt: options('de-DE', 'en-US') },
  elevenlabs: { tts: ttsLanguages({ de: ['Hans'], en: ['Rachel', 'Adam'] }) },
}

const credential = {
  speech_credential_sid: 'c1',
  account_sid: null,
  vendor: 'google',
  label: 'eu',
  use_for_tts: 1,
  use_for_stt: 1,
}

/** Returns a v1 server's response to speech requests; undefined for other requests. */
export const speechResponse = (path: string, query: URLSearchParams): { status: number; body: unknown } | undefined => {
  if (path.endsWith('/SpeechCredentials')) return { status: 200, body: [credential] }
  if (path === '/GoogleCustomVoices')
    return { status: 200, body: [{ google_custom_voice_sid: 'v1', name: 'Our receptionist' }] }
  if (!path.endsWith('/speech/supportedLanguagesAndVoices')) return undefined
  const vendor = query.get('vendor') ?? ''
  const catalogue = catalogues[vendor]
  return catalogue ? { status: 200, body: catalogue } : { status: 422, body: { msg: `Invalid vendor ${vendor}` } }
}
