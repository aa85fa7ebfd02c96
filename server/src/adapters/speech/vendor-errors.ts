import { messages } from '../../ports/speech-error-messages'
import { SpeechError } from '../../ports/speech'
import { RefusedTargetError } from '../net/allowed-targets'

/** An error response of a vendor. */
export class VendorRefusal extends SpeechError {
  constructor(
    readonly status: number,
    message: string,
    /** The body, if it is JSON. */
    readonly responseBody?: unknown,
  ) {
    super(message)
  }
}

/** Network errors, for all vendors. */
const networkMessages: Record<string, string> = {
  ENOTFOUND: messages.noHost,
  EAI_AGAIN: messages.noHost,
  ECONNREFUSED: messages.refused,
  ECONNRESET: messages.refused,
  EHOSTUNREACH: messages.refused,
  ENETUNREACH: messages.refused,
  ETIMEDOUT: messages.timeout,
  TimeoutError: messages.timeout,
  AbortError: messages.timeout,
  CERT_HAS_EXPIRED: messages.untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: messages.untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: messages.untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: messages.untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: messages.untrusted,
  ERR_INVALID_URL: messages.badAddress,
  CredentialsProviderError: messages.noIdentity,
}

/** Lists the codes and names of an error and its causes, outermost first. */
const listErrorNames = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, name, cause, errors } = error as Record<string, unknown>
  const nested: unknown = Array.isArray(errors) ? errors[0] : cause
  return [String(code), String(name), ...listErrorNames(nested, depth + 1)]
}

/** Translates any error into a message for users. */
export const toSpeechError = (error: unknown): SpeechError => {
  if (error instanceof SpeechError) return error
  if (error instanceof RefusedTargetError) return new SpeechError(messages.forbiddenAddress)
  const message = listErrorNames(error)
    .map((name) => networkMessages[name])
    .find(Boolean)
  return new SpeechError(message ?? messages.unknown)
}

/** The fields in which vendors report errors. */
const messageFields = [
  'message',
  'err_msg',
  'error_message',
  'error_description',
  'errormessage',
  'detail',
  'reason',
  'error',
]

/** Finds the vendor's own error message at any depth of a body; undefined if there is none. */
export const findMessage = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return value.trim() || undefined
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  if (Array.isArray(value)) return findMessage(value[0], depth + 1)
  const entries = new Map(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part as unknown]))
  for (const field of messageFields) {
    const vendorMessage = findMessage(entries.get(field), depth + 1)
    if (vendorMessage) return vendorMessage
  }
  return undefined
}

const buildStatusMessage = (status: number, vendorMessage: string | undefined): string => {
  if (status === 401 || status === 403) return messages.denied(vendorMessage)
  if (status === 429) return messages.rateLimited(vendorMessage)
  return status >= 500 ? messages.serverError(status) : messages.unexpectedStatus(status, vendorMessage)
}

/** Converts an error response to an error with the vendor's own message, from its JSON or plain text. */
export const toVendorRefusal = (status: number, responseBody: unknown, text?: string): VendorRefusal =>
  new VendorRefusal(status, buildStatusMessage(status, findMessage(responseBody ?? text)), responseBody)

/** Matches the names of credential fields with values that users must not see. */
const secretNamePattern = /key|secret|token/i

const findSecretValues = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    secretNamePattern.test(name) && typeof value === 'string' && value.length > 3 ? [value] : [],
  )

const maxMessageLength = 300

/** Removes the secrets of a credential from a message and truncates it. */
export const redactSecrets = (message: string, fields: Record<string, unknown>): string => {
  const redacted = findSecretValues(fields).reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
  return redacted.length > maxMessageLength ? `${redacted.slice(0, maxMessageLength)}…` : redacted
}
