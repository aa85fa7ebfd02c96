import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { VendorRefusal } from '../vendor-errors'
import {
  groupByLanguage,
  toHostLabel,
  languageName,
  requiredRows,
  audioOf,
  textField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

type Direction = 'tts' | 'stt'

const services: Record<Direction, string> = { tts: 'text-to-speech', stt: 'speech-to-text' }

const address = (fields: CredentialFields, direction: Direction) =>
  `https://api.${toHostLabel(textField(fields, `${direction}_region`))}.${services[direction]}.watson.cloud.ibm.com/v1`

const headersOf = (fields: CredentialFields, direction: Direction) => ({
  authorization: `Basic ${Buffer.from(`apikey:${textField(fields, `${direction}_api_key`)}`).toString('base64')}`,
})

const get = (send: SendRequest, fields: CredentialFields, direction: Direction, path: string) =>
  send({ url: `${address(fields, direction)}/${path}`, headers: headersOf(fields, direction) }).catch(
    (error: unknown) => {
      throw error instanceof VendorRefusal && error.status === 401 ? new SpeechError(messages.ibmDenied) : error
    },
  )

interface Voice {
  name: string
  language: string
  gender: string
  description: string
}

const voices = async (send: SendRequest, fields: CredentialFields) => {
  const answer = await get(send, fields, 'tts', 'voices')
  const listed = requiredRows<Voice>(answer.json<{ voices: unknown }>().voices)
  return groupByLanguage(
    listed.map(({ name = '', language = '', gender = '', description = '' }) => ({
      languages: [language],
      value: name,
      name: `(${gender}) ${description}`,
    })),
  )
}

const recognitionLanguages = async (send: SendRequest, fields: CredentialFields) => {
  const answer = await get(send, fields, 'stt', 'models')
  const models = requiredRows<{ language: string }>(answer.json<{ models: unknown }>().models)
  const languages = new Set(models.flatMap(({ language }) => (language ? [language] : [])))
  return [...languages].toSorted().map((value) => ({ value, name: languageName(value) }))
}

export const ibm: VendorApi = {
  testSynthesis: async (send, fields) => {
    await voices(send, fields)
  },
  testRecognition: async (send, fields) => {
    await recognitionLanguages(send, fields)
  },
  fetchCatalogue: async (send, fields) => ({
    ...(textField(fields, 'tts_api_key') ? { tts: await voices(send, fields) } : {}),
    ...(textField(fields, 'stt_api_key') ? { stt: await recognitionLanguages(send, fields) } : {}),
  }),
  async synthesize(send, fields, { text, voice }) {
    const url = `${address(fields, 'tts')}/synthesize?voice=${encodeURIComponent(voice)}`
    const headers = { ...headersOf(fields, 'tts'), accept: 'audio/mp3' }
    return audioOf(await send({ url, headers, json: { text } }))
  },
}
