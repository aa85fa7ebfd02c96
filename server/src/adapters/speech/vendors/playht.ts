import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  createSynthesisTest,
  readRequiredRows,
  extractAudio,
  toCustomServerUrl,
  readTextField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const cloudUrl = 'https://api.play.ht'
const buildAuthHeaders = (fields: CredentialFields) => ({
  authorization: readTextField(fields, 'api_key'),
  'x-user-id': readTextField(fields, 'user_id'),
})
const isThirdGeneration = (fields: CredentialFields) => readTextField(fields, 'voice_engine') === 'Play3.0'

/** Requests the temporary URL that the third generation of voices uses. */
const requestTemporaryUrl = async (send: SendRequest, fields: CredentialFields): Promise<string> => {
  const response = await send({ url: `${cloudUrl}/api/v3/auth`, method: 'POST', headers: buildAuthHeaders(fields) })
  const addresses = response.json<Record<string, { http_streaming_url?: string }>>()
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
  const customUri = readTextField(fields, 'playht_tts_uri')
  const usesThirdGeneration = isThirdGeneration(fields) && !customUri
  const url = usesThirdGeneration
    ? await requestTemporaryUrl(send, fields)
    : `${customUri ? toCustomServerUrl(customUri) : cloudUrl}/api/v2/tts/stream`
  const voice_engine = usesThirdGeneration ? 'Play3.0-mini' : readTextField(fields, 'voice_engine')
  const languageParam = usesThirdGeneration && thirdGenerationLanguages.includes(language) ? { language } : {}
  const json = { text, voice, output_format: 'mp3', voice_engine, ...languageParam }
  return extractAudio(await send({ url, headers: { ...buildAuthHeaders(fields), accept: 'audio/mpeg' }, json }))
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

/** Groups the voices of an engine by language. */
const groupVoicesOfEngine = (engine: string, rows: Partial<Voice>[]) =>
  groupByLanguage(
    rows
      .filter(({ voice_engine }) => !engine || !voice_engine || voice_engine === engine)
      .map(({ id = '', name = id, language_code = 'en-US' }) => ({ languages: [language_code], value: id, name })),
  )

const listInAllLanguages = (rows: Partial<Voice>[]) => {
  const voices = rows.map(({ id: value = '', name = value }) => ({ value, name }))
  return thirdGenerationLanguages.map((value) => ({
    value,
    name: value.charAt(0).toUpperCase() + value.slice(1),
    voices,
  }))
}

/** Fetches PlayHT's own voices and the customer's cloned ones. */
const fetchVoices = (send: SendRequest, fields: CredentialFields) =>
  Promise.all(
    ['voices', 'cloned-voices'].map(async (path) => {
      const response = await send({ url: `${cloudUrl}/api/v2/${path}`, headers: buildAuthHeaders(fields) })
      return readRequiredRows<Voice>(response.json<unknown[]>())
    }),
  ).then((voiceLists) => voiceLists.flat())

export const playht: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, defaultVoice),
  async fetchCatalogue(send, fields) {
    const rows = await fetchVoices(send, fields)
    return {
      tts: isThirdGeneration(fields)
        ? listInAllLanguages(rows)
        : groupVoicesOfEngine(readTextField(fields, 'voice_engine'), rows),
    }
  },
  synthesize,
}
