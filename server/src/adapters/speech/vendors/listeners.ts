import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { hello } from '../hello'
import { languageName, listedRows, rowsOf, text, type Parts, type VendorApi } from '../vendor'

/** Vendors that listen and do not speak, each with one call or two. */

const assembly = 'https://api.assemblyai.com/v2'

/** Milliseconds between two looks at whether a transcript is there; the whole has an end of its own. */
const pause = 1_000

const transcribed = async (ask: Ask, headers: Record<string, string>, id: string): Promise<void> => {
  const { status, error } = (await ask({ url: `${assembly}/transcript/${encodeURIComponent(id)}`, headers })).json<{
    status: string
    error: string
  }>()
  if (status === 'completed') return
  if (status === 'error') throw new SpeechError(error || messages.noTranscript)
  await after(pause)
  return transcribed(ask, headers, id)
}

export const assemblyai: VendorApi = {
  async hears(ask, parts) {
    const headers = { authorization: text(parts, 'api_key') }
    const { upload_url } = (
      await ask({
        url: `${assembly}/upload`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: hello,
      })
    ).json<{ upload_url: string }>()
    const { id } = (
      await ask({ url: `${assembly}/transcript`, headers, json: { audio_url: upload_url, language_code: 'en_us' } })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    await transcribed(ask, headers, id)
  },
}

interface Model {
  id: string
  languages: unknown
}

/** The models come with the languages that they know, and only to who has a key. */
const models = async (ask: Ask, parts: Parts) => {
  const headers = { authorization: `Bearer ${text(parts, 'api_key')}` }
  const answer = await ask({ url: 'https://api.soniox.com/v1/models', headers })
  return listedRows<Model>(answer.json<{ models: unknown }>().models)
}

export const soniox: VendorApi = {
  hears: async (ask, parts) => {
    await models(ask, parts)
  },
  async lists(ask, parts) {
    const languages = (await models(ask, parts)).flatMap((model) =>
      rowsOf<{ code: string; name: string }>(model.languages).map(({ code = '', name }) => [code, name ?? ''] as const),
    )
    return { stt: [...new Map(languages)].map(([value, name]) => ({ value, name: name || languageName(value) })) }
  },
}

/** Who wants to speak to the vendor's servers in real time first gets a key for a minute. */
export const speechmatics: VendorApi = {
  async hears(ask, parts) {
    const own = text(parts, 'speechmatics_stt_uri')
    if (own && !/(^|[./])speechmatics\.com/i.test(own)) return 'not tested'
    const answer = await ask({
      url: 'https://mp.speechmatics.com/v1/api_keys?type=rt',
      headers: { authorization: `Bearer ${text(parts, 'api_key')}` },
      json: { ttl: 60 },
    })
    if (!answer.json<{ key_value: string }>().key_value) throw new SpeechError(messages.unreadable)
  },
}

/** SoundHound's servers take a request that is signed with the client's key; one of the customer's is not asked. */
export const houndify: VendorApi = {
  async hears(ask, parts) {
    if (text(parts, 'houndify_server_uri')) return 'not tested'
    const user = text(parts, 'user_id') || 'trunkline'
    const request = randomUUID()
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', Buffer.from(text(parts, 'client_key'), 'base64url'))
      .update(`${user};${request}${time}`)
      .digest('base64url')
    const answer = await ask({
      url: 'https://api.houndify.com/v1/audio',
      headers: {
        'hound-request-authentication': `${user};${request}`,
        'hound-client-authentication': `${text(parts, 'client_id')};${time};${signature}`,
        'hound-request-info': JSON.stringify({
          ClientID: text(parts, 'client_id'),
          UserID: user,
          RequestID: request,
          TimeStamp: time,
          PartialTranscriptsDesired: false,
        }),
        'content-type': 'audio/wav',
      },
      body: hello,
    })
    answer.json()
  },
}

export const voxist: VendorApi = {
  hears: async (ask, parts) => {
    const headers = { 'x-lvl-key': text(parts, 'api_key') }
    const answer = await ask({ url: 'https://api-asr.voxist.com/clients', headers })
    answer.json()
  },
}

/** Gladia opens a session for who may listen; it is closed again without a word. */
export const gladia: VendorApi = {
  async hears(ask, parts) {
    const headers = { 'x-gladia-key': text(parts, 'api_key') }
    const region = text(parts, 'region')
    const base = 'https://api.gladia.io/v2/live'
    const { id } = (
      await ask({
        url: region ? `${base}?region=${encodeURIComponent(region)}` : base,
        headers,
        json: { encoding: 'wav/pcm', sample_rate: 8000, bit_depth: 16, channels: 1, model: 'solaria-1' },
      })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    // a session that nobody talks to ends by itself: that it could not be closed is no news
    await ask({ url: `${base}/${encodeURIComponent(id)}`, method: 'DELETE', headers }).catch(() => undefined)
  },
}
