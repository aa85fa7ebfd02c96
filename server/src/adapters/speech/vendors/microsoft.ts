import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav } from '../sample-audio'
import {
  testBySynthesis,
  groupByLanguage,
  toHostLabel,
  requiredRows,
  audioOf,
  textField,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const authHeaders = (fields: CredentialFields): Record<string, string> => {
  const key = textField(fields, 'api_key')
  return key ? { 'ocp-apim-subscription-key': key } : {}
}

const endpointOf = (fields: CredentialFields, direction: 'tts' | 'stt') =>
  `https://${toHostLabel(textField(fields, 'region'))}.${direction}.speech.microsoft.com`

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)

interface Voice {
  ShortName: string
  DisplayName: string
  Gender: string
  Locale: string
  LocaleName: string
}

/** The customer's deployed voice, which replaces all others; empty without one. */
const deploymentOf = (fields: CredentialFields) =>
  fields.use_custom_tts ? textField(fields, 'custom_tts_endpoint') : ''

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, language, voice }) => {
  const customEndpoint = textField(fields, 'custom_tts_endpoint_url')
  const deployment = deploymentOf(fields)
  const query = deployment ? `?deploymentId=${encodeURIComponent(deployment)}` : ''
  const url = customEndpoint
    ? withProtocol(customEndpoint)
    : deployment
      ? `https://${toHostLabel(textField(fields, 'region'))}.voice.speech.microsoft.com/cognitiveservices/v1${query}`
      : `${endpointOf(fields, 'tts')}/cognitiveservices/v1`
  const answer = await send({
    url,
    headers: {
      ...authHeaders(fields),
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'audio-16khz-64kbitrate-mono-mp3',
      'user-agent': 'trunkline',
    },
    body: `<speak version="1.0" xml:lang="${escapeXml(language)}"><voice name="${escapeXml(voice)}">${escapeXml(text)}</voice></speak>`,
  })
  return audioOf(answer)
}

const recognition = (fields: CredentialFields) => {
  const customEndpoint = textField(fields, 'custom_stt_endpoint_url')
  const path = '/speech/recognition/conversation/cognitiveservices/v1?language=en-US'
  if (customEndpoint) {
    const { origin, pathname } = new URL(withProtocol(customEndpoint.replace(/^ws/i, 'http')))
    return pathname === '/' ? origin + path : `${origin}${pathname}?language=en-US`
  }
  const model = fields.use_custom_stt ? textField(fields, 'custom_stt_endpoint') : ''
  return endpointOf(fields, 'stt') + path + (model ? `&cid=${encodeURIComponent(model)}` : '')
}

const voices = async (send: SendRequest, fields: CredentialFields) => {
  const url = `${endpointOf(fields, 'tts')}/cognitiveservices/voices/list`
  return requiredRows<Voice>((await send({ url, headers: authHeaders(fields) })).json<unknown[]>())
}

const testInEnglish = testBySynthesis(synthesize, 'en-US-JennyMultilingualNeural')

/** Only the owner knows the name of a deployed voice, so for such a credential only the key is tested. */
const testSynthesis: NonNullable<VendorApi['testSynthesis']> = async (send, fields, owner) => {
  if (!deploymentOf(fields) || textField(fields, 'custom_tts_endpoint_url')) return testInEnglish(send, fields, owner)
  await voices(send, fields)
}

export const microsoft: VendorApi = {
  testSynthesis,
  async testRecognition(send, fields) {
    const answer = await send({
      url: recognition(fields),
      headers: {
        ...authHeaders(fields),
        'content-type': 'audio/wav; codecs=audio/pcm; samplerate=8000',
        accept: 'application/json',
      },
      body: sampleWav,
    })
    const { RecognitionStatus } = answer.json<{ RecognitionStatus: string }>()
    if (RecognitionStatus !== 'Success') throw new SpeechError(messages.noTranscript)
  },
  async fetchCatalogue(send, fields) {
    // A container has the voices that were installed in it; there is no list.
    if (textField(fields, 'custom_tts_endpoint_url') && !textField(fields, 'region')) return {}
    const rows = await voices(send, fields)
    const languages = new Map(rows.map(({ Locale = '', LocaleName = '' }) => [Locale, LocaleName]))
    const listed = rows.map(({ ShortName = '', DisplayName = ShortName, Gender, Locale = '' }) => ({
      // Multilingual voices are listed under their main language only; otherwise all lists would contain the same voices.
      languages: [Locale],
      value: ShortName,
      name: Gender ? `${DisplayName} (${Gender})` : DisplayName,
    }))
    return { tts: groupByLanguage(listed, (language) => languages.get(language) || language) }
  },
  synthesize,
}
