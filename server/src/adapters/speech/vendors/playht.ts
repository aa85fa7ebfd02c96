import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { byLanguage, bySaying, listedRows, soundIn, ownServer, text, type Parts, type VendorApi } from '../vendor'

const cloud = 'https://api.play.ht'
const keyIn = (parts: Parts) => ({ authorization: text(parts, 'api_key'), 'x-user-id': text(parts, 'user_id') })
const isThird = (parts: Parts) => text(parts, 'voice_engine') === 'Play3.0'

/** The third generation is spoken to at an address that it lends. */
const lent = async (ask: Ask, parts: Parts): Promise<string> => {
  const answer = await ask({ url: `${cloud}/api/v3/auth`, method: 'POST', headers: keyIn(parts) })
  const addresses = answer.json<Record<string, { http_streaming_url?: string }>>()
  const [found] = Object.entries(addresses).filter(([name]) => name.startsWith('Play3.0'))
  const url = found?.[1]?.http_streaming_url
  if (typeof url !== 'string') throw new SpeechError(messages.unreadable)
  return url
}

/** The languages of the third generation, as it calls them. Each of its voices speaks them all. */
const tongues = (
  'english afrikaans albanian amharic arabic bengali bulgarian catalan croatian czech danish dutch french galician german ' +
  'greek hebrew hindi hungarian indonesian italian japanese korean malay mandarin polish portuguese russian serbian spanish ' +
  'swedish tagalog thai turkish ukrainian urdu xhosa'
).split(' ')

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, language, voice }) => {
  const own = text(parts, 'playht_tts_uri')
  const third = isThird(parts) && !own
  const url = third ? await lent(ask, parts) : `${own ? ownServer(own) : cloud}/api/v2/tts/stream`
  const voice_engine = third ? 'Play3.0-mini' : text(parts, 'voice_engine')
  const spoken = third && tongues.includes(language) ? { language } : {}
  const json = { text: words, voice, output_format: 'mp3', voice_engine, ...spoken }
  return soundIn(await ask({ url, headers: { ...keyIn(parts), accept: 'audio/mpeg' }, json }))
}

/** A voice of PlayHT's own, which each of its engines has. */
const sample = 's3://voice-cloning-zero-shot/d9ff78ba-d016-47f6-b0ef-dd630f59414e/female-cs/manifest.json'

interface Voice {
  id: string
  name: string
  language: string
  language_code: string
  voice_engine: string
}

/** The voices of an engine, by language. */
const byEngine = (engine: string, rows: Partial<Voice>[]) =>
  byLanguage(
    rows
      .filter(({ voice_engine }) => !engine || !voice_engine || voice_engine === engine)
      .map(({ id = '', name = id, language_code = 'en-US' }) => ({ languages: [language_code], value: id, name })),
  )

const inAllTongues = (rows: Partial<Voice>[]) => {
  const voices = rows.map(({ id: value = '', name = value }) => ({ value, name }))
  return tongues.map((value) => ({ value, name: value.charAt(0).toUpperCase() + value.slice(1), voices }))
}

const all = (ask: Ask, parts: Parts) =>
  Promise.all(
    ['voices', 'cloned-voices'].map(async (path) => {
      const answer = await ask({ url: `${cloud}/api/v2/${path}`, headers: keyIn(parts) })
      return listedRows<Voice>(answer.json<unknown[]>())
    }),
  ).then((lists) => lists.flat())

export const playht: VendorApi = {
  speaks: bySaying(says, sample),
  async lists(ask, parts) {
    const rows = await all(ask, parts)
    return { tts: isThird(parts) ? inAllTongues(rows) : byEngine(text(parts, 'voice_engine'), rows) }
  },
  says,
}
