import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import { VendorRefusal } from '../vendor-errors'
import type { SendRequest } from '../vendor-client'
import { textField, type CredentialFields, type VendorApi } from '../vendor-api'

type Direction = 'tts' | 'stt'

const scopes: Record<Direction, string> = { tts: 'tts', stt: 'asr' }

/** Requests a token only: Nuance's servers use gRPC after that. A customer's own server has no credential to test. */
const testToken = (direction: Direction) => async (send: SendRequest, fields: CredentialFields) => {
  if (textField(fields, `nuance_${direction}_uri`)) return 'not tested' as const
  const pair = `${encodeURIComponent(textField(fields, 'client_id'))}:${textField(fields, 'secret')}`
  const answer = await send({
    url: 'https://auth.crt.nuance.com/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${scopes[direction]}`,
  }).catch((error: unknown) => {
    throw error instanceof VendorRefusal && error.status === 401 ? new SpeechError(messages.nuanceDenied) : error
  })
  if (!answer.json<{ access_token: string }>().access_token) throw new SpeechError(messages.unreadable)
}

export const nuance: VendorApi = { testSynthesis: testToken('tts'), testRecognition: testToken('stt') }
