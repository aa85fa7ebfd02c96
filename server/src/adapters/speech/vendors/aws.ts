import { messages } from '../../../ports/speech-messages'
import { withDerivedAnswers } from '@trunkline/contract/speech/credential'
import { aws as description } from '@trunkline/contract/speech/vendors/aws'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { signed, type AwsKeys, type AwsRequest } from '../aws-signature'
import { Refused, refusalOf } from '../faults'
import { asText, byLanguage, hostPart, listedRows, soundIn, text, textsOf, type Parts, type VendorApi } from '../vendor'

const regionOf = (parts: Parts) => hostPart(text(parts, 'aws_region') || text(parts, 'region') || 'us-east-1')

/** What AWS calls a refused credential. Its newer services answer with 400 whatever is wrong, and say what in `__type`. */
const aboutCredentials =
  /(UnrecognizedClient|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|AccessDenied|OptInRequired)/

const asRefusal = (error: unknown): never => {
  const { __type } = (error instanceof Refused ? (error.answer ?? {}) : {}) as { __type?: unknown }
  throw aboutCredentials.test(asText(__type)) ? refusalOf(403, (error as Refused).answer) : error
}

const call = (ask: Ask, keys: AwsKeys, { body, ...request }: Omit<AwsRequest, 'at'>) =>
  ask({
    url: request.url,
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers: signed({ ...request, body, at: new Date() }, keys),
    ...(body ? { body } : {}),
  }).catch(asRefusal)

const identity = async (): Promise<AwsKeys> => {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
  return fromNodeProviderChain()()
}

const valueIn = (xml: string, name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1] ?? ''

/** The keys that a role lends to this server. It is told whose credential asks, so that its owner can let in no other. */
const inRole = async (ask: Ask, parts: Parts, owner: string): Promise<AwsKeys> => {
  const region = regionOf(parts)
  const own = await identity()
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: text(parts, 'role_arn'),
    RoleSessionName: 'Jambonz_Speech',
    ExternalId: owner,
  }).toString()
  const url = `https://sts.${region}.amazonaws.com/`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const { bytes } = await call(ask, own, { method: 'POST', url, headers, body, service: 'sts', region })
    const xml = bytes.toString()
    return {
      accessKeyId: valueIn(xml, 'AccessKeyId'),
      secretAccessKey: valueIn(xml, 'SecretAccessKey'),
      sessionToken: valueIn(xml, 'SessionToken'),
    }
  } catch (error) {
    throw error instanceof Refused && error.status < 500 ? new SpeechError(messages.noRole) : error
  }
}

/** Which way a credential goes is told as where it was made: a blank that passed there for a key is one here too. */
const keysOf = async (ask: Ask, parts: Parts, owner: string): Promise<AwsKeys> => {
  const { credential_type } = withDerivedAnswers(description, parts)
  if (credential_type === 'assume_role') return inRole(ask, parts, owner)
  if (credential_type === 'instance_profile') return identity()
  return { accessKeyId: text(parts, 'access_key_id'), secretAccessKey: text(parts, 'secret_access_key') }
}

interface Voice {
  Id: string
  Name: string
  Gender: string
  LanguageCode: string
  AdditionalLanguageCodes: unknown
}

const polly = async (ask: Ask, parts: Parts, owner: string, path: string, json?: object) => {
  const region = regionOf(parts)
  return call(ask, await keysOf(ask, parts, owner), {
    method: json ? 'POST' : 'GET',
    url: `https://polly.${region}.amazonaws.com/v1/${path}`,
    headers: json ? { 'content-type': 'application/json' } : {},
    body: json ? JSON.stringify(json) : '',
    service: 'polly',
    region,
  })
}

const lists: NonNullable<VendorApi['lists']> = async (ask, parts, owner) => {
  const { Voices } = (await polly(ask, parts, owner, 'voices')).json<{ Voices: unknown }>()
  const listed = listedRows<Voice>(Voices).map(
    ({ Id = '', Name = Id, Gender, LanguageCode, AdditionalLanguageCodes }) => ({
      languages: [...textsOf([LanguageCode]), ...textsOf(AdditionalLanguageCodes)],
      value: Id,
      name: Gender ? `${Name} (${Gender})` : Name,
    }),
  )
  return { tts: byLanguage(listed) }
}

/** Voices that Polly speaks in one way only say so when they are asked for another. */
const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, language, voice, engine }, owner) => {
  const request = { OutputFormat: 'mp3', Text: words, VoiceId: voice, LanguageCode: language }
  try {
    return soundIn(await polly(ask, parts, owner, 'speech', { ...request, Engine: engine ?? 'neural' }))
  } catch (error) {
    if (engine || !(error instanceof Refused) || error.status !== 400) throw error
    return soundIn(await polly(ask, parts, owner, 'speech', request))
  }
}

export const aws: VendorApi = {
  speaks: async (...given) => {
    await lists(...given)
  },
  async hears(ask, parts, owner) {
    const region = regionOf(parts)
    const answer = await call(ask, await keysOf(ask, parts, owner), {
      method: 'POST',
      url: `https://transcribe.${region}.amazonaws.com/`,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Transcribe.ListVocabularies' },
      body: '{}',
      service: 'transcribe',
      region,
    })
    answer.json()
  },
  lists,
  says,
}
