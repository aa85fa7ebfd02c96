import { messages } from '../../ports/speech-messages'
import { SpeechError } from '../../ports/speech'
import { RefusedTarget } from '../net/allowed-targets'

/** An answer other than success. */
export class Refused extends SpeechError {
  constructor(
    readonly status: number,
    message: string,
    /** What the vendor answered, where that is JSON. */
    readonly answer?: unknown,
  ) {
    super(message)
  }
}

/** What the network says, whoever the vendor is. */
const network: Record<string, string> = {
  ENOTFOUND: messages.noHost,
  EAI_AGAIN: messages.noHost,
  ECONNREFUSED: messages.refused,
  ECONNRESET: messages.refused,
  EHOSTUNREACH: messages.refused,
  ENETUNREACH: messages.refused,
  ETIMEDOUT: messages.silent,
  TimeoutError: messages.silent,
  AbortError: messages.silent,
  CERT_HAS_EXPIRED: messages.untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: messages.untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: messages.untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: messages.untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: messages.untrusted,
  ERR_INVALID_URL: messages.badAddress,
  CredentialsProviderError: messages.noIdentity,
}

const namesOf = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, name, cause, errors } = error as Record<string, unknown>
  const inner: unknown = Array.isArray(errors) ? errors[0] : cause
  return [String(code), String(name), ...namesOf(inner, depth + 1)]
}

/** Whatever went wrong, in words for a person. */
export const faultOf = (error: unknown): SpeechError => {
  if (error instanceof SpeechError) return error
  if (error instanceof RefusedTarget) return new SpeechError(messages.forbiddenAddress)
  const said = namesOf(error)
    .map((name) => network[name])
    .find(Boolean)
  return new SpeechError(said ?? messages.unknown)
}

/** Where vendors put their reason. */
const places = ['message', 'err_msg', 'error_message', 'error_description', 'errormessage', 'detail', 'reason', 'error']

/** Their own words in what a vendor answered, wherever they stand; undefined where there are none. */
export const saidIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return value.trim() || undefined
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  if (Array.isArray(value)) return saidIn(value[0], depth + 1)
  const parts = new Map(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part as unknown]))
  for (const place of places) {
    const said = saidIn(parts.get(place), depth + 1)
    if (said) return said
  }
  return undefined
}

const sentenceFor = (status: number, said: string | undefined): string => {
  if (status === 401 || status === 403) return messages.denied(said)
  if (status === 429) return messages.busy(said)
  return status >= 500 ? messages.broken(status) : messages.other(status, said)
}

/** An answer other than success, with the vendor's own words for it: those in its JSON, or in plain text. */
export const refusalOf = (status: number, answer: unknown, text?: string): Refused =>
  new Refused(status, sentenceFor(status, saidIn(answer ?? text)), answer)

/** Names of parts that a person must not get to read. */
const secret = /key|secret|token/i

const secretsIn = (parts: Record<string, unknown>): string[] =>
  Object.entries(parts).flatMap(([name, value]) =>
    secret.test(name) && typeof value === 'string' && value.length > 3 ? [value] : [],
  )

const longest = 300

/** A reason without the secrets of a credential, and not too long. */
export const withoutSecrets = (reason: string, parts: Record<string, unknown>): string => {
  const clean = secretsIn(parts).reduce((text, each) => text.replaceAll(each, '[hidden]'), reason)
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
}
