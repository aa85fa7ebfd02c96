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
  requiredRows,
  audioOf,
  textField,
  toTexts,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const regionOf = (fields: CredentialFields) =>
  toHostLabel(textField(fields, 'aws_region') || textField(fields, 'region') || 'us-east-1')

/** AWS's names for rejected credentials. Newer services always respond with 400 and name the error in `__type`. */
const credentialErrors =
  /(UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|AccessDenied|OptInRequired)/

const toRefusal = (error: unknown): never => {
  const { __type } = (error instanceof VendorRefusal ? (error.responseBody ?? {}) : {}) as { __type?: unknown }
  throw credentialErrors.test(toText(__type)) ? toVendorRefusal(403, (error as VendorRefusal).responseBody) : error
}

const sendSigned = async (send: SendRequest, keys: AwsKeys, { body, ...request }: Omit<AwsRequest, 'signedAt'>) => {
  const headers = await signRequest({ ...request, body, signedAt: new Date() }, keys)
  const method = request.method === 'POST' ? 'POST' : 'GET'
  return send({ url: request.url, method, headers, ...(body ? { body } : {}) }).catch(toRefusal)
}

const serverKeys = async (): Promise<AwsKeys> => {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
  return fromNodeProviderChain()()
}

const xmlValue = (xml: string, name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1] ?? ''

/** Temporary keys of a role. The external ID is the owner, so that the role's owner can restrict it to one account. */
const assumeRole = async (send: SendRequest, fields: CredentialFields, owner: string): Promise<AwsKeys> => {
  const region = regionOf(fields)
  const ownKeys = await serverKeys()
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: textField(fields, 'role_arn'),
    RoleSessionName: 'Jambonz_Speech',
    ExternalId: owner,
  }).toString()
  const url = `https://sts.${region}.amazonaws.com/`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const { bytes } = await sendSigned(send, ownKeys, { method: 'POST', url, headers, body, service: 'sts', region })
    const xml = bytes.toString()
    return {
      accessKeyId: xmlValue(xml, 'AccessKeyId'),
      secretAccessKey: xmlValue(xml, 'SecretAccessKey'),
      sessionToken: xmlValue(xml, 'SessionToken'),
    }
  } catch (error) {
    throw error instanceof VendorRefusal && error.status < 500 ? new SpeechError(messages.noRole) : error
  }
}

/** The credential type is determined as in the form: a blank field counts as missing. */
const keysFor = async (send: SendRequest, fields: CredentialFields, owner: string): Promise<AwsKeys> => {
  const { credential_type } = addDerivedValues(description, fields)
  if (credential_type === 'assume_role') return assumeRole(send, fields, owner)
  if (credential_type === 'instance_profile') return serverKeys()
  return { accessKeyId: textField(fields, 'access_key_id'), secretAccessKey: textField(fields, 'secret_access_key') }
}

interface Voice {
  Id: string
  Name: string
  Gender: string
  LanguageCode: string
  AdditionalLanguageCodes: unknown
}

const polly = async (send: SendRequest, fields: CredentialFields, owner: string, path: string, json?: object) => {
  const region = regionOf(fields)
  return sendSigned(send, await keysFor(send, fields, owner), {
    method: json ? 'POST' : 'GET',
    url: `https://polly.${region}.amazonaws.com/v1/${path}`,
    headers: json ? { 'content-type': 'application/json' } : {},
    body: json ? JSON.stringify(json) : '',
    service: 'polly',
    region,
  })
}

const fetchCatalogue: NonNullable<VendorApi['fetchCatalogue']> = async (send, fields, owner) => {
  const { Voices } = (await polly(send, fields, owner, 'voices')).json<{ Voices: unknown }>()
  const listed = requiredRows<Voice>(Voices).map(
    ({ Id = '', Name = Id, Gender, LanguageCode, AdditionalLanguageCodes }) => ({
      languages: [...toTexts([LanguageCode]), ...toTexts(AdditionalLanguageCodes)],
      value: Id,
      name: Gender ? `${Name} (${Gender})` : Name,
    }),
  )
  return { tts: groupByLanguage(listed) }
}

/** Polly reports the engines of a voice only if the requested one is unsupported. */
const synthesize: NonNullable<VendorApi['synthesize']> = async (
  send,
  fields,
  { text, language, voice, engine },
  owner,
) => {
  const request = { OutputFormat: 'mp3', Text: text, VoiceId: voice, LanguageCode: language }
  try {
    return audioOf(await polly(send, fields, owner, 'speech', { ...request, Engine: engine ?? 'neural' }))
  } catch (error) {
    if (engine || !(error instanceof VendorRefusal) || error.status !== 400) throw error
    return audioOf(await polly(send, fields, owner, 'speech', request))
  }
}

export const aws: VendorApi = {
  testSynthesis: async (...args) => {
    await fetchCatalogue(...args)
  },
  async testRecognition(send, fields, owner) {
    const region = regionOf(fields)
    const answer = await sendSigned(send, await keysFor(send, fields, owner), {
      method: 'POST',
      url: `https://transcribe.${region}.amazonaws.com/`,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Transcribe.ListVocabularies' },
      body: '{}',
      service: 'transcribe',
      region,
    })
    answer.json()
  },
  fetchCatalogue,
  synthesize,
}
