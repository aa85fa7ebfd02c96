import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav } from '../sample-audio'
import { languageName, requiredRows, rowsOf, textField, type CredentialFields, type VendorApi } from '../vendor-api'

/** Vendors that only recognise speech. */

const assembly = 'https://api.assemblyai.com/v2'

/** Delay in milliseconds between polls for a transcript. The operation has its own timeout. */
const pollIntervalMs = 1_000

const waitForTranscript = async (send: SendRequest, headers: Record<string, string>, id: string): Promise<void> => {
  const { status, error } = (await send({ url: `${assembly}/transcript/${encodeURIComponent(id)}`, headers })).json<{
    status: string
    error: string
  }>()
  if (status === 'completed') return
  if (status === 'error') throw new SpeechError(error || messages.noTranscript)
  await after(pollIntervalMs)
  return waitForTranscript(send, headers, id)
}

export const assemblyai: VendorApi = {
  async testRecognition(send, fields) {
    const headers = { authorization: textField(fields, 'api_key') }
    const { upload_url } = (
      await send({
        url: `${assembly}/upload`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: sampleWav,
      })
    ).json<{ upload_url: string }>()
    const { id } = (
      await send({ url: `${assembly}/transcript`, headers, json: { audio_url: upload_url, language_code: 'en_us' } })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    await waitForTranscript(send, headers, id)
  },
}

interface Model {
  id: string
  languages: unknown
}

/** Models with their languages; requires a key. */
const models = async (send: SendRequest, fields: CredentialFields) => {
  const headers = { authorization: `Bearer ${textField(fields, 'api_key')}` }
  const answer = await send({ url: 'https://api.soniox.com/v1/models', headers })
  return requiredRows<Model>(answer.json<{ models: unknown }>().models)
}

export const soniox: VendorApi = {
  testRecognition: async (send, fields) => {
    await models(send, fields)
  },
  async fetchCatalogue(send, fields) {
    const languages = (await models(send, fields)).flatMap((model) =>
      rowsOf<{ code: string; name: string }>(model.languages).map(({ code = '', name }) => [code, name ?? ''] as const),
    )
    return { stt: [...new Map(languages)].map(([value, name]) => ({ value, name: name || languageName(value) })) }
  },
}

/** Requests a short-lived key, as real-time clients do. */
export const speechmatics: VendorApi = {
  async testRecognition(send, fields) {
    const customUri = textField(fields, 'speechmatics_stt_uri')
    if (customUri && !/(^|[./])speechmatics\.com/i.test(customUri)) return 'not tested'
    const answer = await send({
      url: 'https://mp.speechmatics.com/v1/api_keys?type=rt',
      headers: { authorization: `Bearer ${textField(fields, 'api_key')}` },
      json: { ttl: 60 },
    })
    if (!answer.json<{ key_value: string }>().key_value) throw new SpeechError(messages.unreadable)
  },
}

/** Sends a request that is signed with the client's key. A customer's own server cannot be tested. */
export const houndify: VendorApi = {
  async testRecognition(send, fields) {
    if (textField(fields, 'houndify_server_uri')) return 'not tested'
    const user = textField(fields, 'user_id') || 'trunkline'
    const request = randomUUID()
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', Buffer.from(textField(fields, 'client_key'), 'base64url'))
      .update(`${user};${request}${time}`)
      .digest('base64url')
    const answer = await send({
      url: 'https://api.houndify.com/v1/audio',
      headers: {
        'hound-request-authentication': `${user};${request}`,
        'hound-client-authentication': `${textField(fields, 'client_id')};${time};${signature}`,
        'hound-request-info': JSON.stringify({
          ClientID: textField(fields, 'client_id'),
          UserID: user,
          RequestID: request,
          TimeStamp: time,
          PartialTranscriptsDesired: false,
        }),
        'content-type': 'audio/wav',
      },
      body: sampleWav,
    })
    answer.json()
  },
}

export const voxist: VendorApi = {
  testRecognition: async (send, fields) => {
    const headers = { 'x-lvl-key': textField(fields, 'api_key') }
    const answer = await send({ url: 'https://api-asr.voxist.com/clients', headers })
    answer.json()
  },
}

/** Opens a recognition session and closes it unused. */
export const gladia: VendorApi = {
  async testRecognition(send, fields) {
    const headers = { 'x-gladia-key': textField(fields, 'api_key') }
    const region = textField(fields, 'region')
    const base = 'https://api.gladia.io/v2/live'
    const { id } = (
      await send({
        url: region ? `${base}?region=${encodeURIComponent(region)}` : base,
        headers,
        json: { encoding: 'wav/pcm', sample_rate: 8000, bit_depth: 16, channels: 1, model: 'solaria-1' },
      })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    // Unused sessions end by themselves, so a failure to close one is ignored.
    await send({ url: `${base}/${encodeURIComponent(id)}`, method: 'DELETE', headers }).catch(() => undefined)
  },
}
