import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { VendorRefusal } from '../vendor-errors'
import {
  groupByLanguage,
  toHostLabel,
  getLanguageName,
  readRequiredRows,
  extractAudio,
  readTextField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

type SpeechFunction = 'tts' | 'stt'

const serviceNames: Record<SpeechFunction, string> = { tts: 'text-to-speech', stt: 'speech-to-text' }

const getBaseUrl = (fields: CredentialFields, speechFunction: SpeechFunction) =>
  `https://api.${toHostLabel(readTextField(fields, `${speechFunction}_region`))}.${serviceNames[speechFunction]}.watson.cloud.ibm.com/v1`

const buildAuthHeaders = (fields: CredentialFields, speechFunction: SpeechFunction) => ({
  authorization: `Basic ${Buffer.from(`apikey:${readTextField(fields, `${speechFunction}_api_key`)}`).toString('base64')}`,
})

const sendGet = (send: SendRequest, fields: CredentialFields, speechFunction: SpeechFunction, path: string) =>
  send({
    url: `${getBaseUrl(fields, speechFunction)}/${path}`,
    headers: buildAuthHeaders(fields, speechFunction),
  }).catch((error: unknown) => {
    throw error instanceof VendorRefusal && error.status === 401 ? new SpeechError(messages.ibmDenied) : error
  })

interface Voice {
  name: string
  language: string
  gender: string
  description: string
}

const fetchVoices = async (send: SendRequest, fields: CredentialFields) => {
  const response = await sendGet(send, fields, 'tts', 'voices')
  const listedVoices = readRequiredRows<Voice>(response.json<{ voices: unknown }>().voices)
  return groupByLanguage(
    listedVoices.map(({ name = '', language = '', gender = '', description = '' }) => ({
      languages: [language],
      value: name,
      name: `(${gender}) ${description}`,
    })),
  )
}

const fetchRecognitionLanguages = async (send: SendRequest, fields: CredentialFields) => {
  const response = await sendGet(send, fields, 'stt', 'models')
  const models = readRequiredRows<{ language: string }>(response.json<{ models: unknown }>().models)
  const languages = new Set(models.flatMap(({ language }) => (language ? [language] : [])))
  return [...languages].toSorted().map((value) => ({ value, name: getLanguageName(value) }))
}

export const ibm: VendorApi = {
  testSynthesis: async (send, fields) => {
    await fetchVoices(send, fields)
  },
  testRecognition: async (send, fields) => {
    await fetchRecognitionLanguages(send, fields)
  },
  fetchCatalogue: async (send, fields) => ({
    ...(readTextField(fields, 'tts_api_key') ? { tts: await fetchVoices(send, fields) } : {}),
    ...(readTextField(fields, 'stt_api_key') ? { stt: await fetchRecognitionLanguages(send, fields) } : {}),
  }),
  async synthesize(send, fields, { text, voice }) {
    const url = `${getBaseUrl(fields, 'tts')}/synthesize?voice=${encodeURIComponent(voice)}`
    const headers = { ...buildAuthHeaders(fields, 'tts'), accept: 'audio/mp3' }
    return extractAudio(await send({ url, headers, json: { text } }))
  },
}
