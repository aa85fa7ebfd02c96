import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import { signRequest } from '../../src/adapters/speech/aws-signature'
import {
  credentialRefusedMessage,
  refuseWith,
  sampleAudio,
  audioIfPresent,
  type VendorRequest,
  type VendorDouble,
  type Refusal,
} from './speech-double'

const googleKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const client_email = 'voice@example.iam.gserviceaccount.com'

/** A Google service account file with this key. */
export const googleKeyFile = (key: KeyObject): string => {
  const private_key = key.export({ type: 'pkcs8', format: 'pem' })
  return JSON.stringify({ type: 'service_account', project_id: 'example', client_email, private_key })
}

const awsCredential = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'an-aws-secret', aws_region: 'eu-west-1' }

/** Computes the signature with the known key, and compares. */
const isSignedByAwsKey = async ({ method, address, query, headers, body }: VendorRequest) => {
  const [, service = '', region = ''] = /^(\w+)\.([\w-]+)\.amazonaws/.exec(address) ?? []
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const signedHeaders = names.filter((name) => !['host', 'x-amz-date'].includes(name))
  const signedAt = String(headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z')
  const expectedRequest = await signRequest(
    {
      method,
      url: `https://${address}?${query.toString()}`,
      headers: Object.fromEntries(signedHeaders.map((name) => [name, String(headers[name])])),
      body: body.toString(),
      service,
      region,
      signedAt: new Date(signedAt),
    },
    { accessKeyId: awsCredential.access_key_id, secretAccessKey: awsCredential.secret_access_key },
  )
  return expectedRequest.authorization === headers.authorization
}

const isSignedByGoogleKey = async ({ headers, address }: VendorRequest) => {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  const audience = `https://${address.split('/')[0]}/`
  return jwtVerify(token, createPublicKey(googleKey), { issuer: client_email, subject: client_email, audience }).then(
    () => true,
    () => false,
  )
}

const pollyPath = 'polly.eu-west-1.amazonaws.com/v1'

const unrecognizedMessage = 'The security token included in the request is invalid.'
const expiredMessage = 'The security token included in the request is expired'

/** Polly refuses with status 403; Transcribe always uses 400, with the error type in the body. */
const refuseAsAws =
  (__type: string, message: string) =>
  ({ address }: VendorRequest): Refusal =>
    address.startsWith('polly.') ? { status: 403, body: { message } } : { status: 400, body: { __type, message } }

/** Vendors that require signed requests. */
export const signingVendors: Record<string, VendorDouble> = {
  google: {
    credential: { service_key: googleKeyFile(googleKey) },
    isAuthorized: isSignedByGoogleKey,
    refuse: refuseWith({ error: { code: 401, message: 'Request had invalid authentication credentials.' } }),
    messageToUser: credentialRefusedMessage('Request had invalid authentication credentials.'),
    routes: {
      'GET texttospeech.googleapis.com/v1/voices': () => ({
        voices: [
          { languageCodes: ['de-DE'], name: 'de-DE-Neural2-A', ssmlGender: 'FEMALE' },
          { languageCodes: ['en-US'], name: 'en-US-Standard-C', ssmlGender: 'FEMALE' },
          { languageCodes: ['cmn-CN'], name: 'cmn-CN-Standard-A', ssmlGender: 'FEMALE' },
        ],
      }),
      'POST texttospeech.googleapis.com/v1/text:synthesize': ({ json }) => {
        const { input, voice, audioConfig } = json as Record<string, { languageCode?: string } | undefined>
        return input && voice?.languageCode && audioConfig
          ? { audioContent: sampleAudio.toString('base64') }
          : undefined
      },
      'POST speech.googleapis.com/v1p1beta1/speech:recognize': ({ json }) =>
        json.config && json.audio ? { results: [{ alternatives: [{ transcript: 'hello world' }] }] } : undefined,
    },
  },
  aws: {
    credential: awsCredential,
    isAuthorized: isSignedByAwsKey,
    refuse: refuseAsAws('UnrecognizedClientException', unrecognizedMessage),
    messageToUser: credentialRefusedMessage(unrecognizedMessage),
    expiredRefusal: {
      refuse: refuseAsAws('ExpiredTokenException', expiredMessage),
      messageToUser: credentialRefusedMessage(expiredMessage),
    },
    routes: {
      [`GET ${pollyPath}/voices`]: () => ({
        Voices: [
          { Id: 'Joanna', Name: 'Joanna', Gender: 'Female', LanguageCode: 'en-US' },
          { Id: 'Aditi', Name: 'Aditi', Gender: 'Female', LanguageCode: 'en-IN', AdditionalLanguageCodes: ['hi-IN'] },
        ],
      }),
      // Here, Joanna supports both engines, Aditi only the standard one.
      [`POST ${pollyPath}/speech`]: ({ json }) =>
        json.VoiceId === 'Aditi' && json.Engine === 'neural'
          ? undefined
          : audioIfPresent('Text', 'VoiceId')({ json } as VendorRequest),
      'POST transcribe.eu-west-1.amazonaws.com/': ({ headers }) =>
        headers['x-amz-target'] === 'Transcribe.ListVocabularies' ? { Vocabularies: [] } : undefined,
    },
  },
}
