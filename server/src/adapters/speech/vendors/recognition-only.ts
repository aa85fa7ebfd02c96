import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav } from '../sample-audio'
import {
  getLanguageName,
  toText,
  readRequiredRows,
  readRows,
  readTextField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

// Vendors that only recognise speech.

const assemblyBaseUrl = 'https://api.assemblyai.com/v2'

/** Delay between requests for a transcript. The operation that waits for it has a timeout of its own. */
const pollIntervalMs = 1_000

const waitForTranscript = async (send: SendRequest, headers: Record<string, string>, id: string): Promise<void> => {
  const { status, error } = (
    await send({ url: `${assemblyBaseUrl}/transcript/${encodeURIComponent(id)}`, headers })
  ).json<{
    status: string
    error: unknown
  }>()
  if (status === 'completed') return
  if (status === 'error') throw new SpeechError(toText(error) || messages.noTranscript)
  await delay(pollIntervalMs)
  return waitForTranscript(send, headers, id)
}

export const assemblyai: VendorApi = {
  async testRecognition(send, fields) {
    const headers = { authorization: readTextField(fields, 'api_key') }
    const { upload_url } = (
      await send({
        url: `${assemblyBaseUrl}/upload`,
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: sampleWav,
      })
    ).json<{ upload_url: string }>()
    const { id } = (
      await send({
        url: `${assemblyBaseUrl}/transcript`,
        headers,
        json: { audio_url: upload_url, language_code: 'en_us' },
      })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    await waitForTranscript(send, headers, id)
  },
}

interface Model {
  id: string
  languages: unknown
}

/** Fetches the models with their languages; requires a key. */
const fetchModels = async (send: SendRequest, fields: CredentialFields) => {
  const headers = { authorization: `Bearer ${readTextField(fields, 'api_key')}` }
  const response = await send({ url: 'https://api.soniox.com/v1/models', headers })
  return readRequiredRows<Model>(response.json<{ models: unknown }>().models)
}

export const soniox: VendorApi = {
  testRecognition: async (send, fields) => {
    await fetchModels(send, fields)
  },
  async fetchCatalogue(send, fields) {
    const languages = (await fetchModels(send, fields)).flatMap((model) =>
      readRows<{ code: string; name: string }>(model.languages).map(
        ({ code = '', name }) => [code, name ?? ''] as const,
      ),
    )
    return { stt: [...new Map(languages)].map(([value, name]) => ({ value, name: name || getLanguageName(value) })) }
  },
}

/** Requests a short-lived key, as real-time clients do. */
export const speechmatics: VendorApi = {
  async testRecognition(send, fields) {
    const customUri = readTextField(fields, 'speechmatics_stt_uri')
    if (customUri && !/(^|[./])speechmatics\.com/i.test(customUri)) return 'not tested'
    const response = await send({
      url: 'https://mp.speechmatics.com/v1/api_keys?type=rt',
      headers: { authorization: `Bearer ${readTextField(fields, 'api_key')}` },
      json: { ttl: 60 },
    })
    if (!response.json<{ key_value: string }>().key_value) throw new SpeechError(messages.unreadable)
  },
}

/** Sends a request that is signed with the client's key. A customer's own server cannot be tested. */
export const houndify: VendorApi = {
  async testRecognition(send, fields) {
    if (readTextField(fields, 'houndify_server_uri')) return 'not tested'
    const userId = readTextField(fields, 'user_id') || 'trunkline'
    const requestId = randomUUID()
    const timestampSeconds = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', Buffer.from(readTextField(fields, 'client_key'), 'base64url'))
      .update(`${userId};${requestId}${timestampSeconds}`)
      .digest('base64url')
    const response = await send({
      url: 'https://api.houndify.com/v1/audio',
      headers: {
        'hound-request-authentication': `${userId};${requestId}`,
        'hound-client-authentication': `${readTextField(fields, 'client_id')};${timestampSeconds};${signature}`,
        'hound-request-info': JSON.stringify({
          ClientID: readTextField(fields, 'client_id'),
          UserID: userId,
          RequestID: requestId,
          TimeStamp: timestampSeconds,
          PartialTranscriptsDesired: false,
        }),
        'content-type': 'audio/wav',
      },
      body: sampleWav,
    })
    response.json()
  },
}

export const voxist: VendorApi = {
  testRecognition: async (send, fields) => {
    const headers = { 'x-lvl-key': readTextField(fields, 'api_key') }
    const response = await send({ url: 'https://api-asr.voxist.com/clients', headers })
    response.json()
  },
}

/** Opens a recognition session and closes it unused. */
export const gladia: VendorApi = {
  async testRecognition(send, fields) {
    const headers = { 'x-gladia-key': readTextField(fields, 'api_key') }
    const region = readTextField(fields, 'region')
    const sessionsUrl = 'https://api.gladia.io/v2/live'
    const { id } = (
      await send({
        url: region ? `${sessionsUrl}?region=${encodeURIComponent(region)}` : sessionsUrl,
        headers,
        json: { encoding: 'wav/pcm', sample_rate: 8000, bit_depth: 16, channels: 1, model: 'solaria-1' },
      })
    ).json<{ id: string }>()
    if (!id) throw new SpeechError(messages.unreadable)
    // Unused sessions end by themselves, so a failure to close one is ignored.
    await send({ url: `${sessionsUrl}/${encodeURIComponent(id)}`, method: 'DELETE', headers }).catch(() => undefined)
  },
}
