import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  testBySynthesis,
  requiredRows,
  audioOf,
  customServerUrl,
  textField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const cloudUrl = 'https://api.play.ht'
const authHeaders = (fields: CredentialFields) => ({
  authorization: textField(fields, 'api_key'),
  'x-user-id': textField(fields, 'user_id'),
})
const isThirdGeneration = (fields: CredentialFields) => textField(fields, 'voice_engine') === 'Play3.0'

/** The third generation uses a temporary URL. */
const requestTemporaryUrl = async (send: SendRequest, fields: CredentialFields): Promise<string> => {
  const answer = await send({ url: `${cloudUrl}/api/v3/auth`, method: 'POST', headers: authHeaders(fields) })
  const addresses = answer.json<Record<string, { http_streaming_url?: string }>>()
  const [endpoint] = Object.entries(addresses).filter(([name]) => name.startsWith('Play3.0'))
  const url = endpoint?.[1]?.http_streaming_url
  if (typeof url !== 'string') throw new SpeechError(messages.unreadable)
  return url
}

/** The languages of the third generation. Each of its voices speaks all of them. */
const thirdGenerationLanguages = (
  'english afrikaans albanian amharic arabic bengali bulgarian catalan croatian czech danish dutch french galician german ' +
  'greek hebrew hindi hungarian indonesian italian japanese korean malay mandarin polish portuguese russian serbian spanish ' +
  'swedish tagalog thai turkish ukrainian urdu xhosa'
).split(' ')

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, language, voice }) => {
  const customUri = textField(fields, 'playht_tts_uri')
  const third = isThirdGeneration(fields) && !customUri
  const url = third
    ? await requestTemporaryUrl(send, fields)
    : `${customUri ? customServerUrl(customUri) : cloudUrl}/api/v2/tts/stream`
  const voice_engine = third ? 'Play3.0-mini' : textField(fields, 'voice_engine')
  const spoken = third && thirdGenerationLanguages.includes(language) ? { language } : {}
  const json = { text, voice, output_format: 'mp3', voice_engine, ...spoken }
  return audioOf(await send({ url, headers: { ...authHeaders(fields), accept: 'audio/mpeg' }, json }))
}

/** A voice of PlayHT's own that every engine has. */
const defaultVoice = 's3://voice-cloning-zero-shot/d9ff78ba-d016-47f6-b0ef-dd630f59414e/female-cs/manifest.json'

interface Voice {
  id: string
  name: string
  language: string
  language_code: string
  voice_engine: string
}

/** The voices of an engine by language. */
const voicesOfEngine = (engine: string, rows: Partial<Voice>[]) =>
  groupByLanguage(
    rows
      .filter(({ voice_engine }) => !engine || !voice_engine || voice_engine === engine)
      .map(({ id = '', name = id, language_code = 'en-US' }) => ({ languages: [language_code], value: id, name })),
  )

const inAllLanguages = (rows: Partial<Voice>[]) => {
  const voices = rows.map(({ id: value = '', name = value }) => ({ value, name }))
  return thirdGenerationLanguages.map((value) => ({
    value,
    name: value.charAt(0).toUpperCase() + value.slice(1),
    voices,
  }))
}

const fetchVoices = (send: SendRequest, fields: CredentialFields) =>
  Promise.all(
    ['voices', 'cloned-voices'].map(async (path) => {
      const answer = await send({ url: `${cloudUrl}/api/v2/${path}`, headers: authHeaders(fields) })
      return requiredRows<Voice>(answer.json<unknown[]>())
    }),
  ).then((fetchCatalogue) => fetchCatalogue.flat())

export const playht: VendorApi = {
  testSynthesis: testBySynthesis(synthesize, defaultVoice),
  async fetchCatalogue(send, fields) {
    const rows = await fetchVoices(send, fields)
    return {
      tts: isThirdGeneration(fields) ? inAllLanguages(rows) : voicesOfEngine(textField(fields, 'voice_engine'), rows),
    }
  },
  synthesize,
}
