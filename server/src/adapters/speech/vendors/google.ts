import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { messages } from '../../../ports/speech-error-messages'
import { SpeechError, type ClonedVoice } from '../../../ports/speech'
import { sampleAudio } from '../sample-audio'
import { knownCatalogue } from '../known-catalogue'
import {
  groupByLanguage,
  languageName,
  requiredRows,
  rowsOf,
  decodeAudio,
  textField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const synthesis = 'https://texttospeech.googleapis.com'
const recognition = 'https://speech.googleapis.com'

interface Key {
  email: string
  kid: string
  key: KeyObject
}

/** The relevant fields of the credential's key file. */
const keyOf = (fields: CredentialFields): Key => {
  try {
    const file = JSON.parse(textField(fields, 'service_key')) as CredentialFields
    const email = textField(file, 'client_email')
    const key = createPrivateKey(textField(file, 'private_key'))
    if (email) return { email, key, kid: textField(file, 'private_key_id') }
  } catch {
    // Reported below.
  }
  throw new SpeechError(messages.badKeyFile)
}

/** A token that the key signs itself: one request less, and no request to a host from the key file. */
const authHeaders = async (fields: CredentialFields, audience: string) => {
  const { email, key, kid } = keyOf(fields)
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

/** Google lists language codes only; the names are built in. */
const languageNames = async () => {
  const { tts = [], stt = [] } = (await knownCatalogue('google')) ?? {}
  const names = new Map([...tts, ...stt].map(({ value, name }) => [value, name]))
  return (code: string) => names.get(code) ?? languageName(code)
}

const fetchCatalogue: NonNullable<VendorApi['fetchCatalogue']> = async (send, fields) => {
  const headers = await authHeaders(fields, synthesis)
  const { voices } = (await send({ url: `${synthesis}/v1/voices`, headers })).json<{ voices: unknown }>()
  const listed = requiredRows<Voice>(voices).map(({ languageCodes, name = '', ssmlGender = '' }) => ({
    languages: toTexts(languageCodes),
    value: name,
    name: ssmlGender ? `${name} (${ssmlGender})` : name,
  }))
  return { tts: groupByLanguage(listed, await languageNames()) }
}

const clonedVoice = ({ model, reported_usage, cloning_key }: ClonedVoice) =>
  cloning_key
    ? { voiceClone: { voiceCloningKey: cloning_key } }
    : { customVoice: { model, ...(reported_usage ? { reportedUsage: reported_usage } : {}) } }

export const google: VendorApi = {
  testSynthesis: async (...args) => {
    await fetchCatalogue(...args)
  },
  async testRecognition(send, fields) {
    const answer = await send({
      url: `${recognition}/v1p1beta1/speech:recognize`,
      headers: await authHeaders(fields, recognition),
      json: {
        config: { encoding: 'LINEAR16', sampleRateHertz: 8000, languageCode: 'en-US', model: 'default' },
        audio: { content: sampleAudio.toString('base64') },
      },
    })
    const { results } = answer.json<{ results: unknown }>()
    if (rowsOf(results).length === 0) throw new SpeechError(messages.noTranscript)
  },
  fetchCatalogue,
  async synthesize(send, fields, { text, language, voice, cloned }) {
    const modelName = textField(fields, 'model_id')
    const vendorVoice = { name: voice, ...(modelName ? { modelName } : {}) }
    const answer = await send({
      url: `${synthesis}/v1/text:synthesize`,
      headers: await authHeaders(fields, synthesis),
      json: {
        input: { text },
        voice: { languageCode: language, ...(cloned ? clonedVoice(cloned) : vendorVoice) },
        audioConfig: { audioEncoding: 'MP3' },
      },
    })
    return decodeAudio(answer.json<{ audioContent: string }>().audioContent)
  },
}
