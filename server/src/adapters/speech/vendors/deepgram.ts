import { messages } from '../../../ports/speech-error-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError } from '../../../ports/speech'
import { sampleWav } from '../sample-audio'
import {
  toText,
  testBySynthesis,
  languageName,
  requiredRows,
  customServerUrl,
  audioOf,
  textField,
  toTexts,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const cloudUrl = 'https://api.deepgram.com'

const isDeepgramHost = (host: string) => /^(?:[a-z-]+\.)*deepgram\.com$/i.test(host)

/** Deepgram's own endpoint for this customer; customers' own servers are excluded. */
const cloudEndpoint = (fields: CredentialFields) => {
  const customUri = textField(fields, 'deepgram_stt_uri')
  return isDeepgramHost(customUri) ? withProtocol(customUri) : cloudUrl
}

/** The endpoint for synthesis. */
const synthesisEndpoint = (fields: CredentialFields) => {
  const customUri = textField(fields, 'deepgram_tts_uri')
  return customUri ? customServerUrl(customUri) : cloudEndpoint(fields)
}

const authHeaders = (fields: CredentialFields): Record<string, string> => {
  const key = textField(fields, 'api_key')
  return key ? { authorization: `Token ${key}` } : {}
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const url = `${synthesisEndpoint(fields)}/v1/speak?model=${encodeURIComponent(voice)}`
  return audioOf(await send({ url, headers: authHeaders(fields), json: { text } }))
}

/** Tests recognition at Deepgram's own servers only. */
const testRecognition: NonNullable<VendorApi['testRecognition']> = async (send, fields) => {
  if (!textField(fields, 'api_key')) return 'not tested'
  const headers = { ...authHeaders(fields), 'content-type': 'audio/wav' }
  const answer = await send({ url: `${cloudEndpoint(fields)}/v1/listen?punctuate=true`, headers, body: sampleWav })
  if (!answer.json<{ results: unknown }>().results) throw new SpeechError(messages.noTranscript)
}

interface Model {
  name: string
  canonical_name: string
  languages: unknown
}

const models = (value: unknown): (SpeechOption & { languages: string[] })[] =>
  requiredRows<Model>(value).map(({ name, canonical_name = name, languages }) => ({
    value: toText(canonical_name),
    name: toText(canonical_name),
    languages: toTexts(languages),
  }))

const offers = (listed: readonly SpeechOption[]): SpeechOption[] => {
  const byValue = new Map(listed.map(({ value, name }) => [value, { value, name }]))
  return [...byValue.values()].toSorted((a, b) => a.value.localeCompare(b.value))
}

const fetchCatalogue = async (
  ...[send, fields]: Parameters<NonNullable<VendorApi['fetchCatalogue']>>
): Promise<Catalogue> => {
  if (textField(fields, 'deepgram_stt_uri') && textField(fields, 'deepgram_tts_uri')) return {}
  const answer = await send({ url: `${cloudEndpoint(fields)}/v1/models`, headers: authHeaders(fields) }).catch(() => {
    throw new SpeechError(messages.noVoices)
  })
  const { stt, tts } = answer.json<{ stt: unknown; tts: unknown }>()
  const recognitionModels = models(stt)
  const model = textField(fields, 'model_id')
  const selectedModels = recognitionModels.filter(({ value }) => value === model)
  const languages = (selectedModels.length > 0 ? selectedModels : recognitionModels).flatMap((model) => model.languages)
  return {
    stt: offers(languages.map((value) => ({ value, name: languageName(value) }))),
    sttModels: offers(recognitionModels),
    models: offers(models(tts)),
  }
}

export const deepgram: VendorApi = {
  testSynthesis: testBySynthesis(synthesize, 'aura-asteria-en'),
  testRecognition,
  fetchCatalogue,
  synthesize,
}

export const deepgramflux: VendorApi = { testRecognition }
