import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import { Refused } from '../faults'
import type { Ask } from '../ask'
import { text, type Parts, type VendorApi } from '../vendor'

type Direction = 'tts' | 'stt'

const scopes: Record<Direction, string> = { tts: 'tts', stt: 'asr' }

/**
 * A token is all that is asked for: with one Nuance's servers let a customer in, and they speak a language of their own
 * afterwards. A server of the customer's takes no credential, so there is none to be tried.
 */
const tries = (direction: Direction) => async (ask: Ask, parts: Parts) => {
  if (text(parts, `nuance_${direction}_uri`)) return 'not tested' as const
  const pair = `${encodeURIComponent(text(parts, 'client_id'))}:${text(parts, 'secret')}`
  const answer = await ask({
    url: 'https://auth.crt.nuance.com/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${scopes[direction]}`,
  }).catch((error: unknown) => {
    throw error instanceof Refused && error.status === 401 ? new SpeechError(messages.nuanceDenied) : error
  })
  if (!answer.json<{ access_token: string }>().access_token) throw new SpeechError(messages.unreadable)
}

export const nuance: VendorApi = { speaks: tries('tts'), hears: tries('stt') }
