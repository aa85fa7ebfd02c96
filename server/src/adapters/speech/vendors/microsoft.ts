import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { hello } from '../hello'
import {
  bySaying,
  byLanguage,
  hostPart,
  listedRows,
  soundIn,
  text,
  withProtocol,
  type Parts,
  type VendorApi,
} from '../vendor'

const keyIn = (parts: Parts): Record<string, string> => {
  const key = text(parts, 'api_key')
  return key ? { 'ocp-apim-subscription-key': key } : {}
}

const hosted = (parts: Parts, direction: 'tts' | 'stt') =>
  `https://${hostPart(text(parts, 'region'))}.${direction}.speech.microsoft.com`

const escaped = (words: string) => words.replace(/[<>&'"]/g, (each) => `&#${each.charCodeAt(0)};`)

interface Voice {
  ShortName: string
  DisplayName: string
  Gender: string
  Locale: string
  LocaleName: string
}

/** The voice that a customer has deployed, which then is the only one; blank where there is none. */
const deploymentOf = (parts: Parts) => (parts.use_custom_tts ? text(parts, 'custom_tts_endpoint') : '')

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, language, voice }) => {
  const own = text(parts, 'custom_tts_endpoint_url')
  const deployment = deploymentOf(parts)
  const query = deployment ? `?deploymentId=${encodeURIComponent(deployment)}` : ''
  const url = own
    ? withProtocol(own)
    : deployment
      ? `https://${hostPart(text(parts, 'region'))}.voice.speech.microsoft.com/cognitiveservices/v1${query}`
      : `${hosted(parts, 'tts')}/cognitiveservices/v1`
  const answer = await ask({
    url,
    headers: {
      ...keyIn(parts),
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'audio-16khz-64kbitrate-mono-mp3',
      'user-agent': 'trunkline',
    },
    body: `<speak version="1.0" xml:lang="${escaped(language)}"><voice name="${escaped(voice)}">${escaped(words)}</voice></speak>`,
  })
  return soundIn(answer)
}

const recognition = (parts: Parts) => {
  const own = text(parts, 'custom_stt_endpoint_url')
  const path = '/speech/recognition/conversation/cognitiveservices/v1?language=en-US'
  if (own) {
    const { origin, pathname } = new URL(withProtocol(own.replace(/^ws/i, 'http')))
    return pathname === '/' ? origin + path : `${origin}${pathname}?language=en-US`
  }
  const model = parts.use_custom_stt ? text(parts, 'custom_stt_endpoint') : ''
  return hosted(parts, 'stt') + path + (model ? `&cid=${encodeURIComponent(model)}` : '')
}

const voices = async (ask: Ask, parts: Parts) => {
  const url = `${hosted(parts, 'tts')}/cognitiveservices/voices/list`
  return listedRows<Voice>((await ask({ url, headers: keyIn(parts) })).json<unknown[]>())
}

const inEnglish = bySaying(says, 'en-US-JennyMultilingualNeural')

/** What a deployed voice is called, only its owner knows: of such a credential no more is tried than its key. */
const speaks: NonNullable<VendorApi['speaks']> = async (ask, parts, owner) => {
  if (!deploymentOf(parts) || text(parts, 'custom_tts_endpoint_url')) return inEnglish(ask, parts, owner)
  await voices(ask, parts)
}

export const microsoft: VendorApi = {
  speaks,
  async hears(ask, parts) {
    const answer = await ask({
      url: recognition(parts),
      headers: {
        ...keyIn(parts),
        'content-type': 'audio/wav; codecs=audio/pcm; samplerate=8000',
        accept: 'application/json',
      },
      body: hello,
    })
    const { RecognitionStatus } = answer.json<{ RecognitionStatus: string }>()
    if (RecognitionStatus !== 'Success') throw new SpeechError(messages.noTranscript)
  },
  async lists(ask, parts) {
    // a container speaks with the voices that were put into it, of which nobody has a list
    if (text(parts, 'custom_tts_endpoint_url') && !text(parts, 'region')) return {}
    const rows = await voices(ask, parts)
    const languages = new Map(rows.map(({ Locale = '', LocaleName = '' }) => [Locale, LocaleName]))
    const listed = rows.map(({ ShortName = '', DisplayName = ShortName, Gender, Locale = '' }) => ({
      // one that speaks many languages stands under its own: under all of them the lists would be of the same voices
      languages: [Locale],
      value: ShortName,
      name: Gender ? `${DisplayName} (${Gender})` : DisplayName,
    }))
    return { tts: byLanguage(listed, (language) => languages.get(language) || language) }
  },
  says,
}
