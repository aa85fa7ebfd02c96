import { messages } from '../../../ports/speech-error-messages'
import { addDerivedValues } from '@trunkline/contract/speech/credential'
import { aws as description } from '@trunkline/contract/speech/vendors/aws'
import { SpeechError } from '../../../ports/speech'
import type { SendRequest } from '../vendor-client'
import { signRequest, type AwsKeys, type AwsRequest } from '../aws-signature'
import { VendorRefusal, toVendorRefusal } from '../vendor-errors'
import {
  toText,
  groupByLanguage,
  toHostLabel,
  readRequiredRows,
  extractAudio,
  readTextField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const readRegion = (fields: CredentialFields) =>
  toHostLabel(readTextField(fields, 'aws_region') || readTextField(fields, 'region') || 'us-east-1')

/** Matches AWS's names for rejected credentials. Newer services always respond with 400 and name the error in `__type`. */
const credentialErrorPattern =
  /(UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|AccessDenied|OptInRequired)/

/** Throws the error, as status 403 if it means that the credential was rejected. */
const rethrowRefusal = (error: unknown): never => {
  const { __type } = (error instanceof VendorRefusal ? (error.responseBody ?? {}) : {}) as { __type?: unknown }
  throw credentialErrorPattern.test(toText(__type))
    ? toVendorRefusal(403, (error as VendorRefusal).responseBody)
    : error
}

const sendSigned = async (send: SendRequest, keys: AwsKeys, { body, ...request }: Omit<AwsRequest, 'signedAt'>) => {
  const headers = await signRequest({ ...request, body, signedAt: new Date() }, keys)
  const method = request.method === 'POST' ? 'POST' : 'GET'
  return send({ url: request.url, method, headers, ...(body ? { body } : {}) }).catch(rethrowRefusal)
}

/** Loads the keys of this server's own identity. */
const loadServerKeys = async (): Promise<AwsKeys> => {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
  return fromNodeProviderChain()()
}

const findXmlValue = (xml: string, name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1] ?? ''

/** Requests temporary keys of a role. The external ID is the owner, so that the role's owner can restrict it to one account. */
const assumeRole = async (send: SendRequest, fields: CredentialFields, ownerSid: string): Promise<AwsKeys> => {
  const region = readRegion(fields)
  const serverKeys = await loadServerKeys()
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: readTextField(fields, 'role_arn'),
    RoleSessionName: 'Jambonz_Speech',
    ExternalId: ownerSid,
  }).toString()
  const url = `https://sts.${region}.amazonaws.com/`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const { bytes } = await sendSigned(send, serverKeys, { method: 'POST', url, headers, body, service: 'sts', region })
    const xml = bytes.toString()
    return {
      accessKeyId: findXmlValue(xml, 'AccessKeyId'),
      secretAccessKey: findXmlValue(xml, 'SecretAccessKey'),
      sessionToken: findXmlValue(xml, 'SessionToken'),
    }
  } catch (error) {
    throw error instanceof VendorRefusal && error.status < 500 ? new SpeechError(messages.noRole) : error
  }
}

/** Returns the keys of a credential. Its type is determined as in the form: an empty field counts as missing, spaces do not. */
const resolveKeys = async (send: SendRequest, fields: CredentialFields, ownerSid: string): Promise<AwsKeys> => {
  const { credential_type } = addDerivedValues(description, fields)
  if (credential_type === 'assume_role') return assumeRole(send, fields, ownerSid)
  if (credential_type === 'instance_profile') return loadServerKeys()
  return {
    accessKeyId: readTextField(fields, 'access_key_id'),
    secretAccessKey: readTextField(fields, 'secret_access_key'),
  }
}

interface Voice {
  Id: string
  Name: string
  Gender: string
  LanguageCode: string
  AdditionalLanguageCodes: unknown
}

const sendToPolly = async (
  send: SendRequest,
  fields: CredentialFields,
  ownerSid: string,
  path: string,
  json?: object,
) => {
  const region = readRegion(fields)
  return sendSigned(send, await resolveKeys(send, fields, ownerSid), {
    method: json ? 'POST' : 'GET',
    url: `https://polly.${region}.amazonaws.com/v1/${path}`,
    headers: json ? { 'content-type': 'application/json' } : {},
    body: json ? JSON.stringify(json) : '',
    service: 'polly',
    region,
  })
}

const fetchCatalogue: NonNullable<VendorApi['fetchCatalogue']> = async (send, fields, ownerSid) => {
  const { Voices } = (await sendToPolly(send, fields, ownerSid, 'voices')).json<{ Voices: unknown }>()
  const listedVoices = readRequiredRows<Voice>(Voices).map(
    ({ Id = '', Name = Id, Gender, LanguageCode, AdditionalLanguageCodes }) => ({
      languages: [...toTexts([LanguageCode]), ...toTexts(AdditionalLanguageCodes)],
      value: Id,
      name: Gender ? `${Name} (${Gender})` : Name,
    }),
  )
  return { tts: groupByLanguage(listedVoices) }
}

/** Polly rejects a voice that lacks the requested engine. Without an explicit engine, the request is repeated with the default. */
const synthesize: NonNullable<VendorApi['synthesize']> = async (
  send,
  fields,
  { text, language, voice, engine },
  ownerSid,
) => {
  const request = { OutputFormat: 'mp3', Text: text, VoiceId: voice, LanguageCode: language }
  try {
    return extractAudio(await sendToPolly(send, fields, ownerSid, 'speech', { ...request, Engine: engine ?? 'neural' }))
  } catch (error) {
    if (engine || !(error instanceof VendorRefusal) || error.status !== 400) throw error
    return extractAudio(await sendToPolly(send, fields, ownerSid, 'speech', request))
  }
}

export const aws: VendorApi = {
  testSynthesis: async (...args) => {
    await fetchCatalogue(...args)
  },
  async testRecognition(send, fields, ownerSid) {
    const region = readRegion(fields)
    const response = await sendSigned(send, await resolveKeys(send, fields, ownerSid), {
      method: 'POST',
      url: `https://transcribe.${region}.amazonaws.com/`,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Transcribe.ListVocabularies' },
      body: '{}',
      service: 'transcribe',
      region,
    })
    response.json()
  },
  fetchCatalogue,
  synthesize,
}
