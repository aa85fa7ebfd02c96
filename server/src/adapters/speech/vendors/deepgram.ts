import { messages } from '../../../ports/speech-error-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError } from '../../../ports/speech'
import { sampleWav } from '../sample-audio'
import {
  toText,
  createSynthesisTest,
  getLanguageName,
  readRequiredRows,
  toCustomServerUrl,
  extractAudio,
  readTextField,
  toTexts,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const cloudUrl = 'https://api.deepgram.com'

const isDeepgramHost = (host: string) => /^(?:[a-z-]+\.)*deepgram\.com$/i.test(host)

/** Returns Deepgram's own endpoint for this customer. The URL of a customer's own server is ignored. */
const getCloudEndpoint = (fields: CredentialFields) => {
  const customUri = readTextField(fields, 'deepgram_stt_uri')
  return isDeepgramHost(customUri) ? withProtocol(customUri) : cloudUrl
}

/** Returns the endpoint for synthesis, which may be a customer's own server. */
const getSynthesisEndpoint = (fields: CredentialFields) => {
  const customUri = readTextField(fields, 'deepgram_tts_uri')
  return customUri ? toCustomServerUrl(customUri) : getCloudEndpoint(fields)
}

const buildAuthHeaders = (fields: CredentialFields): Record<string, string> => {
  const key = readTextField(fields, 'api_key')
  return key ? { authorization: `Token ${key}` } : {}
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const url = `${getSynthesisEndpoint(fields)}/v1/speak?model=${encodeURIComponent(voice)}`
  return extractAudio(await send({ url, headers: buildAuthHeaders(fields), json: { text } }))
}

/** Tests recognition at Deepgram's own servers only. */
const testRecognition: NonNullable<VendorApi['testRecognition']> = async (send, fields) => {
  if (!readTextField(fields, 'api_key')) return 'not tested'
  const headers = { ...buildAuthHeaders(fields), 'content-type': 'audio/wav' }
  const response = await send({ url: `${getCloudEndpoint(fields)}/v1/listen?punctuate=true`, headers, body: sampleWav })
  if (!response.json<{ results: unknown }>().results) throw new SpeechError(messages.noTranscript)
}

interface Model {
  name: string
  canonical_name: string
  languages: unknown
}

const readModels = (value: unknown): (SpeechOption & { languages: string[] })[] =>
  readRequiredRows<Model>(value).map(({ name, canonical_name = name, languages }) => ({
    value: toText(canonical_name),
    name: toText(canonical_name),
    languages: toTexts(languages),
  }))

const toUniqueOptions = (options: readonly SpeechOption[]): SpeechOption[] => {
  const optionByValue = new Map(options.map(({ value, name }) => [value, { value, name }]))
  return [...optionByValue.values()].toSorted((a, b) => a.value.localeCompare(b.value))
}

const fetchCatalogue = async (
  ...[send, fields]: Parameters<NonNullable<VendorApi['fetchCatalogue']>>
): Promise<Catalogue> => {
  if (readTextField(fields, 'deepgram_stt_uri') && readTextField(fields, 'deepgram_tts_uri')) return {}
  const response = await send({
    url: `${getCloudEndpoint(fields)}/v1/models`,
    headers: buildAuthHeaders(fields),
  }).catch(() => {
    throw new SpeechError(messages.noVoices)
  })
  const { stt, tts } = response.json<{ stt: unknown; tts: unknown }>()
  const recognitionModels = readModels(stt)
  const model = readTextField(fields, 'model_id')
  const selectedModels = recognitionModels.filter(({ value }) => value === model)
  const languages = (selectedModels.length > 0 ? selectedModels : recognitionModels).flatMap(
    (listedModel) => listedModel.languages,
  )
  return {
    stt: toUniqueOptions(languages.map((value) => ({ value, name: getLanguageName(value) }))),
    sttModels: toUniqueOptions(recognitionModels),
    models: toUniqueOptions(readModels(tts)),
  }
}

export const deepgram: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, 'aura-asteria-en'),
  testRecognition,
  fetchCatalogue,
  synthesize,
}

/** Deepgram's conversational models, which only recognise speech. */
export const deepgramflux: VendorApi = { testRecognition }
