import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import { VendorRefusal } from '../vendor-errors'
import type { SendRequest } from '../vendor-client'
import { readTextField, type CredentialFields, type VendorApi } from '../vendor-api'

type Direction = 'tts' | 'stt'

const scopes: Record<Direction, string> = { tts: 'tts', stt: 'asr' }

/**
 * Creates a test that only requests a token: everything else at Nuance needs gRPC. A customer's own server has no credential to test.
 */
const createTokenTest = (direction: Direction) => async (send: SendRequest, fields: CredentialFields) => {
  if (readTextField(fields, `nuance_${direction}_uri`)) return 'not tested' as const
  const clientCredentials = `${encodeURIComponent(readTextField(fields, 'client_id'))}:${readTextField(fields, 'secret')}`
  const response = await send({
    url: 'https://auth.crt.nuance.com/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from(clientCredentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${scopes[direction]}`,
  }).catch((error: unknown) => {
    throw error instanceof VendorRefusal && error.status === 401 ? new SpeechError(messages.nuanceDenied) : error
  })
  if (!response.json<{ access_token: string }>().access_token) throw new SpeechError(messages.unreadable)
}

export const nuance: VendorApi = { testSynthesis: createTokenTest('tts'), testRecognition: createTokenTest('stt') }
