import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { hello, helloSamples } from '../hello'
import { asText, byLanguage, bySaying, listedRows, soundIn, text, type Parts, type VendorApi } from '../vendor'

const base = 'https://us.rest.speechcenter.verbio.com/api/v1'

const signedIn = async (ask: Ask, parts: Parts) => {
  const { access_token } = (
    await ask({
      url: 'https://auth.speechcenter.verbio.com:444/api/v1/token',
      json: { client_id: text(parts, 'client_id'), client_secret: text(parts, 'client_secret') },
    })
  ).json<{ access_token: string }>()
  if (!access_token) throw new SpeechError(messages.unreadable)
  return { authorization: `Bearer ${access_token}` }
}

/** Samples with the head that makes a file of them: as that of the recording, whose samples are of the same kind. */
const asFile = (samples: Buffer): Buffer => {
  if (samples.subarray(0, 4).toString() === 'RIFF') return samples
  const head = Buffer.from(hello.subarray(0, hello.length - helloSamples.length))
  head.writeUInt32LE(head.length - 8 + samples.length, 4)
  head.writeUInt32LE(samples.length, head.length - 4)
  return Buffer.concat([head, samples])
}

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice }) => {
  const answer = await ask({
    url: `${base}/synthesize`,
    headers: await signedIn(ask, parts),
    json: { text: words, voice_id: voice, output_sample_rate: '8k', output_encoding: 'pcm16' },
  })
  return { type: 'audio/wav', bytes: asFile(soundIn(answer).bytes) }
}

interface Voice {
  voice_id: string
  name: string
  language: string
}

export const verbio: VendorApi = {
  speaks: bySaying(says, 'tommy_en-us'),
  async hears(ask, parts) {
    const headers = { ...(await signedIn(ask, parts)), 'content-type': 'audio/wav' }
    await ask({ url: `${base}/recognize?language=en-US&version=V1`, headers, body: hello })
  },
  async lists(ask, parts) {
    const answer = (await ask({ url: `${base}/voices`, headers: await signedIn(ask, parts) })).json<unknown[]>()
    const rows = listedRows<Voice>(Array.isArray(answer) ? answer : (answer as { voices?: unknown }).voices)
    const listed = rows.map(({ voice_id = '', name = voice_id, language }) => ({
      languages: [asText(language) || 'en-US'],
      value: voice_id,
      name,
    }))
    return { tts: byLanguage(listed) }
  },
  says,
}
