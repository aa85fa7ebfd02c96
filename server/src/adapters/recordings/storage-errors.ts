import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError } from '../../ports/object-storage'

const { failure: fault } = messages

/** Network errors, for all vendors. */
const networkMessages: Record<string, string> = {
  ENOTFOUND: fault.unknownHost,
  EAI_AGAIN: fault.unknownHost,
  REFUSED_TARGET: fault.unreachable,
  ECONNREFUSED: fault.unreachable,
  ECONNRESET: fault.unreachable,
  EHOSTUNREACH: fault.unreachable,
  ENETUNREACH: fault.unreachable,
  ETIMEDOUT: fault.timeout,
  ESOCKETTIMEDOUT: fault.timeout,
  TimeoutError: fault.timeout,
  AbortError: fault.timeout,
  CERT_HAS_EXPIRED: fault.untrustedCertificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: fault.untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: fault.untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: fault.untrustedCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: fault.untrustedCertificate,
}

interface SdkError {
  statusCode?: number
  code?: number | string
  $metadata?: { httpStatusCode?: number }
}

/** The codes and names of an error and its causes, outermost first: SDKs wrap network errors. */
const codesOf = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, Code, name, statusCode, $metadata, cause, errors } = error as Record<string, unknown>
  const status = statusCode ?? ($metadata as SdkError['$metadata'])?.httpStatusCode
  const nested: unknown = Array.isArray(errors) ? errors[0] : cause
  return [...[code, Code, name, status].map(String), ...codesOf(nested, depth + 1)]
}

/** Names that SDKs, the language and the HTTP parser use if a response has no error code. */
const genericNames = /^(undefined|Unknown|PARSE_ERROR|(\w+)?Error|HPE_\w+|ERR_\w+|EPROTO)$/
const isErrorCode = (code: string) => /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(code) && !genericNames.test(code)

/** The meaning of a status without an error code, as for HEAD. */
const statusMessage = (status: string): string | undefined => {
  if (status === '401' || status === '403') return fault.accessDenied
  return /^5\d\d$/.test(status) ? fault.serverError : undefined
}

/** Translates an SDK error. The original message is never shown: its content is unknown. */
export const toStorageError = (error: unknown, errorMessages: Record<string, string>): StorageError => {
  if (error instanceof StorageError) return error
  const codes = codesOf(error)
  const message = codes.map((code) => errorMessages[code] ?? networkMessages[code]).find(Boolean)
  const code = codes.find(isErrorCode)
  const statusText = codes.map(statusMessage).find(Boolean)
  return new StorageError(message ?? (code ? fault.unexpectedStatus(code) : (statusText ?? fault.unexpectedResponse)))
}

/** Does the error mean that there is no such object? */
const isMissing = (error: unknown): boolean => {
  const { statusCode, code, $metadata } = (error ?? {}) as SdkError
  return [statusCode, code, $metadata?.httpStatusCode].includes(404)
}

/** The size of an object as reported by its storage. Throws if it is missing or invalid. */
export const parseSize = (reportedSize: unknown): number => {
  const size = reportedSize === undefined || reportedSize === null ? NaN : Number(reportedSize)
  if (!Number.isSafeInteger(size)) throw new StorageError(fault.unexpectedResponse)
  return size
}

/** Resolves with undefined if the object does not exist. */
export const undefinedIfMissing = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

const lowerCase = (name: string) => name.toLowerCase()

/** Metadata with names in lower case, because not all vendors preserve their case. */
export const lowerCaseNames = (metadata: Record<string, unknown> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [lowerCase(name), String(value)]))

/** Ends when the signal aborts, even if the SDK ignores it. Errors become StorageError. */
export const withSignal = async <Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  errorMessages: Record<string, string>,
): Promise<Result> => {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new StorageError(fault.timeout))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } catch (error) {
    throw toStorageError(error, errorMessages)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
