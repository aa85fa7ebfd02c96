import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { messages } from '../../../ports/speech-error-messages'
import { SpeechError, type ClonedVoice } from '../../../ports/speech'
import { sampleAudio } from '../sample-audio'
import { loadKnownCatalogue } from '../known-catalogue'
import {
  groupByLanguage,
  getLanguageName,
  readRequiredRows,
  readRows,
  decodeAudio,
  readTextField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const synthesisUrl = 'https://texttospeech.googleapis.com'
const recognitionUrl = 'https://speech.googleapis.com'

interface SigningKey {
  email: string
  kid: string
  key: KeyObject
}

/** Parses the relevant fields of the credential's key file. */
const parseKeyFile = (fields: CredentialFields): SigningKey => {
  try {
    const file = JSON.parse(readTextField(fields, 'service_key')) as CredentialFields
    const email = readTextField(file, 'client_email')
    const key = createPrivateKey(readTextField(file, 'private_key'))
    if (email) return { email, key, kid: readTextField(file, 'private_key_id') }
  } catch {
    // Reported below.
  }
  throw new SpeechError(messages.badKeyFile)
}

/**
 * Signs a token locally with the private key. So none has to be requested from a token server, and no URL of the key file is used.
 */
const signAuthHeaders = async (fields: CredentialFields, audience: string) => {
  const { email, key, kid } = parseKeyFile(fields)
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

/** Loads the names of languages from the built-in catalogue, because Google only lists their codes. */
const loadLanguageNames = async () => {
  const { tts = [], stt = [] } = (await loadKnownCatalogue('google')) ?? {}
  const names = new Map([...tts, ...stt].map(({ value, name }) => [value, name]))
  return (code: string) => names.get(code) ?? getLanguageName(code)
}

const fetchCatalogue: NonNullable<VendorApi['fetchCatalogue']> = async (send, fields) => {
  const headers = await signAuthHeaders(fields, synthesisUrl)
  const { voices } = (await send({ url: `${synthesisUrl}/v1/voices`, headers })).json<{ voices: unknown }>()
  const listedVoices = readRequiredRows<Voice>(voices).map(({ languageCodes, name = '', ssmlGender = '' }) => ({
    languages: toTexts(languageCodes),
    value: name,
    name: ssmlGender ? `${name} (${ssmlGender})` : name,
  }))
  return { tts: groupByLanguage(listedVoices, await loadLanguageNames()) }
}

const toClonedVoiceParams = ({ model, reported_usage, cloning_key }: ClonedVoice) =>
  cloning_key
    ? { voiceClone: { voiceCloningKey: cloning_key } }
    : { customVoice: { model, ...(reported_usage ? { reportedUsage: reported_usage } : {}) } }

export const google: VendorApi = {
  testSynthesis: async (...args) => {
    await fetchCatalogue(...args)
  },
  async testRecognition(send, fields) {
    const response = await send({
      url: `${recognitionUrl}/v1p1beta1/speech:recognize`,
      headers: await signAuthHeaders(fields, recognitionUrl),
      json: {
        config: { encoding: 'LINEAR16', sampleRateHertz: 8000, languageCode: 'en-US', model: 'default' },
        audio: { content: sampleAudio.toString('base64') },
      },
    })
    const { results } = response.json<{ results: unknown }>()
    if (readRows(results).length === 0) throw new SpeechError(messages.noTranscript)
  },
  fetchCatalogue,
  async synthesize(send, fields, { text, language, voice, clonedVoice }) {
    const modelName = readTextField(fields, 'model_id')
    const vendorVoice = { name: voice, ...(modelName ? { modelName } : {}) }
    const response = await send({
      url: `${synthesisUrl}/v1/text:synthesize`,
      headers: await signAuthHeaders(fields, synthesisUrl),
      json: {
        input: { text },
        voice: { languageCode: language, ...(clonedVoice ? toClonedVoiceParams(clonedVoice) : vendorVoice) },
        audioConfig: { audioEncoding: 'MP3' },
      },
    })
    return decodeAudio(response.json<{ audioContent: string }>().audioContent)
  },
}
