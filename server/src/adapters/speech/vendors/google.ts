import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { messages } from '../../../ports/speech-messages'
import { SpeechError, type ClonedVoice } from '../../../ports/speech'
import { helloSamples } from '../hello'
import { knownLists } from '../lists'
import {
  byLanguage,
  languageName,
  listedRows,
  rowsOf,
  soundOf,
  text,
  textsOf,
  type Parts,
  type VendorApi,
} from '../vendor'

const synthesis = 'https://texttospeech.googleapis.com'
const recognition = 'https://speech.googleapis.com'

interface Key {
  email: string
  kid: string
  key: KeyObject
}

/** The parts of the key file, which a credential holds as it is. */
const keyOf = (parts: Parts): Key => {
  try {
    const file = JSON.parse(text(parts, 'service_key')) as Parts
    const email = text(file, 'client_email')
    const key = createPrivateKey(text(file, 'private_key'))
    if (email) return { email, key, kid: text(file, 'private_key_id') }
  } catch {
    // said below
  }
  throw new SpeechError(messages.badKeyFile)
}

/** A token that the key signs itself: one request less, and no host out of the key file is asked for one. */
const signedIn = async (parts: Parts, audience: string) => {
  const { email, key, kid } = keyOf(parts)
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid ? { kid } : {}) })
    .setIssuer(email)
    .setSubject(email)
    .setAudience(`${audience}/`)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key)
  return { authorization: `Bearer ${token}` }
}

interface Voice {
  languageCodes: unknown
  name: string
  ssmlGender: string
}

/** Google lists codes only: what a language is called is known here. */
const languageNames = async () => {
  const { tts = [], stt = [] } = (await knownLists('google')) ?? {}
  const names = new Map([...tts, ...stt].map(({ value, name }) => [value, name]))
  return (code: string) => names.get(code) ?? languageName(code)
}

const lists: NonNullable<VendorApi['lists']> = async (ask, parts) => {
  const headers = await signedIn(parts, synthesis)
  const { voices } = (await ask({ url: `${synthesis}/v1/voices`, headers })).json<{ voices: unknown }>()
  const listed = listedRows<Voice>(voices).map(({ languageCodes, name = '', ssmlGender = '' }) => ({
    languages: textsOf(languageCodes),
    value: name,
    name: ssmlGender ? `${name} (${ssmlGender})` : name,
  }))
  return { tts: byLanguage(listed, await languageNames()) }
}

const clonedVoice = ({ model, reported_usage, cloning_key }: ClonedVoice) =>
  cloning_key
    ? { voiceClone: { voiceCloningKey: cloning_key } }
    : { customVoice: { model, ...(reported_usage ? { reportedUsage: reported_usage } : {}) } }

export const google: VendorApi = {
  speaks: async (...given) => {
    await lists(...given)
  },
  async hears(ask, parts) {
    const answer = await ask({
      url: `${recognition}/v1p1beta1/speech:recognize`,
      headers: await signedIn(parts, recognition),
      json: {
        config: { encoding: 'LINEAR16', sampleRateHertz: 8000, languageCode: 'en-US', model: 'default' },
        audio: { content: helloSamples.toString('base64') },
      },
    })
    const { results } = answer.json<{ results: unknown }>()
    if (rowsOf(results).length === 0) throw new SpeechError(messages.noTranscript)
  },
  lists,
  async says(ask, parts, { text: words, language, voice, cloned }) {
    const modelName = text(parts, 'model_id')
    const named = { name: voice, ...(modelName ? { modelName } : {}) }
    const answer = await ask({
      url: `${synthesis}/v1/text:synthesize`,
      headers: await signedIn(parts, synthesis),
      json: {
        input: { text: words },
        voice: { languageCode: language, ...(cloned ? clonedVoice(cloned) : named) },
        audioConfig: { audioEncoding: 'MP3' },
      },
    })
    return soundOf(answer.json<{ audioContent: string }>().audioContent)
  },
}
