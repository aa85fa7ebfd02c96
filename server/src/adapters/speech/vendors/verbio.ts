import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav, sampleAudio } from '../sample-audio'
import {
  toText,
  groupByLanguage,
  testBySynthesis,
  requiredRows,
  audioOf,
  textField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const base = 'https://us.rest.speechcenter.verbio.com/api/v1'

const authHeaders = async (send: SendRequest, fields: CredentialFields) => {
  const { access_token } = (
    await send({
      url: 'https://auth.speechcenter.verbio.com:444/api/v1/token',
      json: { client_id: textField(fields, 'client_id'), client_secret: textField(fields, 'client_secret') },
    })
  ).json<{ access_token: string }>()
  if (!access_token) throw new SpeechError(messages.unreadable)
  return { authorization: `Bearer ${access_token}` }
}

/** Adds a WAV header: that of the sample file, whose format is the same. */
const toWav = (samples: Buffer): Buffer => {
  if (samples.subarray(0, 4).toString() === 'RIFF') return samples
  const header = Buffer.from(sampleWav.subarray(0, sampleWav.length - sampleAudio.length))
  header.writeUInt32LE(header.length - 8 + samples.length, 4)
  header.writeUInt32LE(samples.length, header.length - 4)
  return Buffer.concat([header, samples])
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const answer = await send({
    url: `${base}/synthesize`,
    headers: await authHeaders(send, fields),
    json: { text, voice_id: voice, output_sample_rate: '8k', output_encoding: 'pcm16' },
  })
  return { type: 'audio/wav', bytes: toWav(audioOf(answer).bytes) }
}

interface Voice {
  voice_id: string
  name: string
  language: string
}

export const verbio: VendorApi = {
  testSynthesis: testBySynthesis(synthesize, 'tommy_en-us'),
  async testRecognition(send, fields) {
    const headers = { ...(await authHeaders(send, fields)), 'content-type': 'audio/wav' }
    await send({ url: `${base}/recognize?language=en-US&version=V1`, headers, body: sampleWav })
  },
  async fetchCatalogue(send, fields) {
    const answer = (await send({ url: `${base}/voices`, headers: await authHeaders(send, fields) })).json<unknown[]>()
    const rows = requiredRows<Voice>(Array.isArray(answer) ? answer : (answer as { voices?: unknown }).voices)
    const listed = rows.map(({ voice_id = '', name = voice_id, language }) => ({
      languages: [toText(language) || 'en-US'],
      value: voice_id,
      name,
    }))
    return { tts: groupByLanguage(listed) }
  },
  synthesize,
}
