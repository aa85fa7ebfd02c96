import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav } from '../sample-audio'
import {
  createSynthesisTest,
  groupByLanguage,
  toHostLabel,
  readRequiredRows,
  extractAudio,
  readTextField,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const buildAuthHeaders = (fields: CredentialFields): Record<string, string> => {
  const key = readTextField(fields, 'api_key')
  return key ? { 'ocp-apim-subscription-key': key } : {}
}

const getEndpoint = (fields: CredentialFields, direction: 'tts' | 'stt') =>
  `https://${toHostLabel(readTextField(fields, 'region'))}.${direction}.speech.microsoft.com`

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)

interface Voice {
  ShortName: string
  DisplayName: string
  Gender: string
  Locale: string
  LocaleName: string
}

/** Returns the ID of the customer's deployed voice, which replaces all others; empty without one. */
const readDeployment = (fields: CredentialFields) =>
  fields.use_custom_tts ? readTextField(fields, 'custom_tts_endpoint') : ''

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, language, voice }) => {
  const customEndpoint = readTextField(fields, 'custom_tts_endpoint_url')
  const deployment = readDeployment(fields)
  const query = deployment ? `?deploymentId=${encodeURIComponent(deployment)}` : ''
  const url = customEndpoint
    ? withProtocol(customEndpoint)
    : deployment
      ? `https://${toHostLabel(readTextField(fields, 'region'))}.voice.speech.microsoft.com/cognitiveservices/v1${query}`
      : `${getEndpoint(fields, 'tts')}/cognitiveservices/v1`
  const response = await send({
    url,
    headers: {
      ...buildAuthHeaders(fields),
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'audio-16khz-64kbitrate-mono-mp3',
      'user-agent': 'trunkline',
    },
    body: `<speak version="1.0" xml:lang="${escapeXml(language)}"><voice name="${escapeXml(voice)}">${escapeXml(text)}</voice></speak>`,
  })
  return extractAudio(response)
}

/** Builds the URL for recognition, which may be in the customer's own container. */
const buildRecognitionUrl = (fields: CredentialFields) => {
  const customEndpoint = readTextField(fields, 'custom_stt_endpoint_url')
  const path = '/speech/recognition/conversation/cognitiveservices/v1?language=en-US'
  if (customEndpoint) {
    const { origin, pathname } = new URL(withProtocol(customEndpoint.replace(/^ws/i, 'http')))
    return pathname === '/' ? origin + path : `${origin}${pathname}?language=en-US`
  }
  const model = fields.use_custom_stt ? readTextField(fields, 'custom_stt_endpoint') : ''
  return getEndpoint(fields, 'stt') + path + (model ? `&cid=${encodeURIComponent(model)}` : '')
}

const fetchVoices = async (send: SendRequest, fields: CredentialFields) => {
  const url = `${getEndpoint(fields, 'tts')}/cognitiveservices/voices/list`
  return readRequiredRows<Voice>((await send({ url, headers: buildAuthHeaders(fields) })).json<unknown[]>())
}

const testWithEnglishVoice = createSynthesisTest(synthesize, 'en-US-JennyMultilingualNeural')

/** Only the owner knows the name of a deployed voice, so for such a credential only the key is tested. */
const testSynthesis: NonNullable<VendorApi['testSynthesis']> = async (send, fields, ownerSid) => {
  if (!readDeployment(fields) || readTextField(fields, 'custom_tts_endpoint_url'))
    return testWithEnglishVoice(send, fields, ownerSid)
  await fetchVoices(send, fields)
}

export const microsoft: VendorApi = {
  testSynthesis,
  async testRecognition(send, fields) {
    const response = await send({
      url: buildRecognitionUrl(fields),
      headers: {
        ...buildAuthHeaders(fields),
        'content-type': 'audio/wav; codecs=audio/pcm; samplerate=8000',
        accept: 'application/json',
      },
      body: sampleWav,
    })
    const { RecognitionStatus } = response.json<{ RecognitionStatus: string }>()
    if (RecognitionStatus !== 'Success') throw new SpeechError(messages.noTranscript)
  },
  async fetchCatalogue(send, fields) {
    // A container has the voices that were installed in it; there is no list.
    if (readTextField(fields, 'custom_tts_endpoint_url') && !readTextField(fields, 'region')) return {}
    const rows = await fetchVoices(send, fields)
    const languages = new Map(rows.map(({ Locale = '', LocaleName = '' }) => [Locale, LocaleName]))
    const listedVoices = rows.map(({ ShortName = '', DisplayName = ShortName, Gender, Locale = '' }) => ({
      // Multilingual voices are listed under their main language only; otherwise all lists would contain the same voices.
      languages: [Locale],
      value: ShortName,
      name: Gender ? `${DisplayName} (${Gender})` : DisplayName,
    }))
    return { tts: groupByLanguage(listedVoices, (language) => languages.get(language) || language) }
  },
  synthesize,
}
