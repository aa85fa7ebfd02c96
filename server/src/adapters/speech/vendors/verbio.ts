import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { sampleWav, sampleAudio } from '../sample-audio'
import {
  toText,
  groupByLanguage,
  createSynthesisTest,
  readRequiredRows,
  extractAudio,
  readTextField,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const baseUrl = 'https://us.rest.speechcenter.verbio.com/api/v1'

const requestAuthHeaders = async (send: SendRequest, fields: CredentialFields) => {
  const { access_token } = (
    await send({
      url: 'https://auth.speechcenter.verbio.com:444/api/v1/token',
      json: { client_id: readTextField(fields, 'client_id'), client_secret: readTextField(fields, 'client_secret') },
    })
  ).json<{ access_token: string }>()
  if (!access_token) throw new SpeechError(messages.unreadable)
  return { authorization: `Bearer ${access_token}` }
}

/** Adds a WAV header to samples. It is copied from the sample file, which has the same format. */
const toWav = (samples: Buffer): Buffer => {
  if (samples.subarray(0, 4).toString() === 'RIFF') return samples
  const header = Buffer.from(sampleWav.subarray(0, sampleWav.length - sampleAudio.length))
  header.writeUInt32LE(header.length - 8 + samples.length, 4)
  header.writeUInt32LE(samples.length, header.length - 4)
  return Buffer.concat([header, samples])
}

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const response = await send({
    url: `${baseUrl}/synthesize`,
    headers: await requestAuthHeaders(send, fields),
    json: { text, voice_id: voice, output_sample_rate: '8k', output_encoding: 'pcm16' },
  })
  return { type: 'audio/wav', bytes: toWav(extractAudio(response).bytes) }
}

interface Voice {
  voice_id: string
  name: string
  language: string
}

export const verbio: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, 'tommy_en-us'),
  async testRecognition(send, fields) {
    const headers = { ...(await requestAuthHeaders(send, fields)), 'content-type': 'audio/wav' }
    await send({ url: `${baseUrl}/recognize?language=en-US&version=V1`, headers, body: sampleWav })
  },
  async fetchCatalogue(send, fields) {
    const voiceList = (await send({ url: `${baseUrl}/voices`, headers: await requestAuthHeaders(send, fields) })).json<
      unknown[]
    >()
    const rows = readRequiredRows<Voice>(
      Array.isArray(voiceList) ? voiceList : (voiceList as { voices?: unknown }).voices,
    )
    const listedVoices = rows.map(({ voice_id = '', name = voice_id, language }) => ({
      languages: [toText(language) || 'en-US'],
      value: voice_id,
      name,
    }))
    return { tts: groupByLanguage(listedVoices) }
  },
  synthesize,
}
