import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import { signRequest } from '../../src/adapters/speech/aws-signature'
import { refused, refusing, sampleAudio, speaks, type VendorRequest, type Double, type Refusal } from './speech-double'

const googleKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const client_email = 'voice@example.iam.gserviceaccount.com'

/** A Google service account file with this key. */
export const googleKeyFile = (key: KeyObject): string => {
  const private_key = key.export({ type: 'pkcs8', format: 'pem' })
  return JSON.stringify({ type: 'service_account', project_id: 'example', client_email, private_key })
}

const aws = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'an-aws-secret', aws_region: 'eu-west-1' }

/** Computes the signature with the known key, and compares. */
const awsSigned = async ({ method, address, query, headers, body }: VendorRequest) => {
  const [, service = '', region = ''] = /^(\w+)\.([\w-]+)\.amazonaws/.exec(address) ?? []
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const sent = names.filter((name) => !['host', 'x-amz-date'].includes(name))
  const time = String(headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z')
  const second = await signRequest(
    {
      method,
      url: `https://${address}?${query.toString()}`,
      headers: Object.fromEntries(sent.map((name) => [name, String(headers[name])])),
      body: body.toString(),
      service,
      region,
      signedAt: new Date(time),
    },
    { accessKeyId: aws.access_key_id, secretAccessKey: aws.secret_access_key },
  )
  return second.authorization === headers.authorization
}

const googleSigned = async ({ headers, address }: VendorRequest) => {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  const audience = `https://${address.split('/')[0]}/`
  return jwtVerify(token, createPublicKey(googleKey), { issuer: client_email, subject: client_email, audience }).then(
    () => true,
    () => false,
  )
}

const polly = 'polly.eu-west-1.amazonaws.com/v1'

const unrecognized = 'The security token included in the request is invalid.'
const expired = 'The security token included in the request is expired'

/** Polly refuses with status 403; Transcribe always uses 400, with the error type in the body. */
const awsRefusing =
  (__type: string, message: string) =>
  ({ address }: VendorRequest): Refusal =>
    address.startsWith('polly.') ? { status: 403, body: { message } } : { status: 400, body: { __type, message } }

/** Vendors that require signed requests. */
export const signers: Record<string, Double> = {
  google: {
    key: { service_key: googleKeyFile(googleKey) },
    knows: googleSigned,
    refuses: refusing({ error: { code: 401, message: 'Request had invalid authentication credentials.' } }),
    reads: refused('Request had invalid authentication credentials.'),
    calls: {
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
    key: aws,
    knows: awsSigned,
    refuses: awsRefusing('UnrecognizedClientException', unrecognized),
    reads: refused(unrecognized),
    expires: { refuses: awsRefusing('ExpiredTokenException', expired), reads: refused(expired) },
    calls: {
      [`GET ${polly}/voices`]: () => ({
        Voices: [
          { Id: 'Joanna', Name: 'Joanna', Gender: 'Female', LanguageCode: 'en-US' },
          { Id: 'Aditi', Name: 'Aditi', Gender: 'Female', LanguageCode: 'en-IN', AdditionalLanguageCodes: ['hi-IN'] },
        ],
      }),
      // Here, Joanna supports both engines, Aditi only the standard one.
      [`POST ${polly}/speech`]: ({ json }) =>
        json.VoiceId === 'Aditi' && json.Engine === 'neural'
          ? undefined
          : speaks('Text', 'VoiceId')({ json } as VendorRequest),
      'POST transcribe.eu-west-1.amazonaws.com/': ({ headers }) =>
        headers['x-amz-target'] === 'Transcribe.ListVocabularies' ? { Vocabularies: [] } : undefined,
    },
  },
}
