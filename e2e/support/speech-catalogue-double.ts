const offers = (...values: string[]) => values.map((value) => ({ value, name: value }))
const speaking = (languages: Record<string, string[]>) =>
  Object.entries(languages).map(([value, voices]) => ({ value, name: value, voices: offers(...voices) }))

const catalogues: Record<string, unknown> = {
  google: { tts: speaking({ 'en-US': ['en-US-Standard-A', 'en-US-Standard-C'] }), stt: offers('de-DE', 'en-US') },
  elevenlabs: { tts: speaking({ de: ['Hans'], en: ['Rachel', 'Adam'] }) },
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
export const speechAnswer = (path: string, query: URLSearchParams): { status: number; body: unknown } | undefined => {
  if (path.endsWith('/SpeechCredentials')) return { status: 200, body: [credential] }
  if (path === '/GoogleCustomVoices')
    return { status: 200, body: [{ google_custom_voice_sid: 'v1', name: 'Our receptionist' }] }
  if (!path.endsWith('/speech/supportedLanguagesAndVoices')) return undefined
  const vendor = query.get('vendor') ?? ''
  const found = catalogues[vendor]
  return found ? { status: 200, body: found } : { status: 422, body: { msg: `Invalid vendor ${vendor}` } }
}
