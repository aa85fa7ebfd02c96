import { messages } from '../../../ports/speech-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError } from '../../../ports/speech'
import { hello } from '../hello'
import {
  asText,
  bySaying,
  languageName,
  listedRows,
  ownServer,
  soundIn,
  text,
  textsOf,
  withProtocol,
  type Parts,
  type VendorApi,
} from '../vendor'

const cloud = 'https://api.deepgram.com'

const isDeepgrams = (host: string) => /^(?:[a-z-]+\.)*deepgram\.com$/i.test(host)

/** Where Deepgram itself serves this customer: a server of the customer's own is something else. */
const home = (parts: Parts) => {
  const chosen = text(parts, 'deepgram_stt_uri')
  return isDeepgrams(chosen) ? withProtocol(chosen) : cloud
}

/** Who speaks. */
const speaker = (parts: Parts) => {
  const own = text(parts, 'deepgram_tts_uri')
  return own ? ownServer(own) : home(parts)
}

const keyIn = (parts: Parts): Record<string, string> => {
  const key = text(parts, 'api_key')
  return key ? { authorization: `Token ${key}` } : {}
}

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice }) => {
  const url = `${speaker(parts)}/v1/speak?model=${encodeURIComponent(voice)}`
  return soundIn(await ask({ url, headers: keyIn(parts), json: { text: words } }))
}

/** Deepgram's own servers listen; one of the customer's is not asked. */
const hears: NonNullable<VendorApi['hears']> = async (ask, parts) => {
  if (!text(parts, 'api_key')) return 'not tested'
  const headers = { ...keyIn(parts), 'content-type': 'audio/wav' }
  const answer = await ask({ url: `${home(parts)}/v1/listen?punctuate=true`, headers, body: hello })
  if (!answer.json<{ results: unknown }>().results) throw new SpeechError(messages.noTranscript)
}

interface Model {
  name: string
  canonical_name: string
  languages: unknown
}

const models = (value: unknown): (SpeechOption & { languages: string[] })[] =>
  listedRows<Model>(value).map(({ name, canonical_name = name, languages }) => ({
    value: asText(canonical_name),
    name: asText(canonical_name),
    languages: textsOf(languages),
  }))

const offers = (listed: readonly SpeechOption[]): SpeechOption[] => {
  const once = new Map(listed.map(({ value, name }) => [value, { value, name }]))
  return [...once.values()].toSorted((one, other) => one.value.localeCompare(other.value))
}

const lists = async (...[ask, parts]: Parameters<NonNullable<VendorApi['lists']>>): Promise<Catalogue> => {
  if (text(parts, 'deepgram_stt_uri') && text(parts, 'deepgram_tts_uri')) return {}
  const answer = await ask({ url: `${home(parts)}/v1/models`, headers: keyIn(parts) }).catch(() => {
    throw new SpeechError(messages.noVoices)
  })
  const { stt, tts } = answer.json<{ stt: unknown; tts: unknown }>()
  const heard = models(stt)
  const model = text(parts, 'model_id')
  const meant = heard.filter(({ value }) => value === model)
  const languages = (meant.length > 0 ? meant : heard).flatMap((each) => each.languages)
  return {
    stt: offers(languages.map((value) => ({ value, name: languageName(value) }))),
    sttModels: offers(heard),
    models: offers(models(tts)),
  }
}

export const deepgram: VendorApi = {
  speaks: bySaying(says, 'aura-asteria-en'),
  hears,
  lists,
  says,
}

export const deepgramflux: VendorApi = { hears }
