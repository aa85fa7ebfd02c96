import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError } from '../../ports/object-storage'

const { failure } = messages

/** Network errors, for all vendors. */
const networkMessages: Record<string, string> = {
  ENOTFOUND: failure.unknownHost,
  EAI_AGAIN: failure.unknownHost,
  REFUSED_TARGET: failure.unreachable,
  ECONNREFUSED: failure.unreachable,
  ECONNRESET: failure.unreachable,
  EHOSTUNREACH: failure.unreachable,
  ENETUNREACH: failure.unreachable,
  ETIMEDOUT: failure.timeout,
  ESOCKETTIMEDOUT: failure.timeout,
  TimeoutError: failure.timeout,
  AbortError: failure.timeout,
  CERT_HAS_EXPIRED: failure.untrustedCertificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: failure.untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: failure.untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: failure.untrustedCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: failure.untrustedCertificate,
}

interface SdkError {
  statusCode?: number
  code?: number | string
  $metadata?: { httpStatusCode?: number }
}

/** The codes and names of an error and its causes, outermost first: SDKs wrap network errors. */
const listErrorCodes = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, Code, name, statusCode, $metadata, cause, errors } = error as Record<string, unknown>
  const status = statusCode ?? ($metadata as SdkError['$metadata'])?.httpStatusCode
  const nestedError: unknown = Array.isArray(errors) ? errors[0] : cause
  return [...[code, Code, name, status].map(String), ...listErrorCodes(nestedError, depth + 1)]
}

/** Names of errors that SDKs, JavaScript and the HTTP parser use if a response has no error code. */
const genericNames = /^(undefined|Unknown|PARSE_ERROR|(\w+)?Error|HPE_\w+|ERR_\w+|EPROTO)$/
const isErrorCode = (code: string) => /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(code) && !genericNames.test(code)

/** Finds the message for a status without an error code, as in responses to HEAD. */
const findStatusMessage = (status: string): string | undefined => {
  if (status === '401' || status === '403') return failure.accessDenied
  return /^5\d\d$/.test(status) ? failure.serverError : undefined
}

/** Translates an SDK error. The original message is never shown: its content is unknown. */
export const toStorageError = (error: unknown, errorMessages: Record<string, string>): StorageError => {
  if (error instanceof StorageError) return error
  const codes = listErrorCodes(error)
  const message = codes.map((code) => errorMessages[code] ?? networkMessages[code]).find(Boolean)
  const code = codes.find(isErrorCode)
  const messageFromStatus = codes.map(findStatusMessage).find(Boolean)
  return new StorageError(
    message ?? (code ? failure.unexpectedStatus(code) : (messageFromStatus ?? failure.unexpectedResponse)),
  )
}

/** Does the error mean that there is no such object? */
const isMissing = (error: unknown): boolean => {
  const { statusCode, code, $metadata } = (error ?? {}) as SdkError
  return [statusCode, code, $metadata?.httpStatusCode].includes(404)
}

/** Parses the size of an object as its storage reports it. Throws if it is missing or invalid. */
export const parseSize = (reportedSize: unknown): number => {
  const size = reportedSize === undefined || reportedSize === null ? NaN : Number(reportedSize)
  if (!Number.isSafeInteger(size)) throw new StorageError(failure.unexpectedResponse)
  return size
}

/** Resolves with undefined if the object does not exist. */
export const undefinedIfMissing = <Result>(request: Promise<Result>): Promise<Result | undefined> =>
  request.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/** Converts the names of metadata to lower case, because not all vendors preserve their case. */
export const lowerCaseNames = (metadata: Record<string, unknown> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]))

/** Waits for a request to a storage until the signal aborts, even if the SDK ignores the signal. Errors become StorageError. */
export const runStorageRequest = async <Result>(
  request: Promise<Result>,
  signal: AbortSignal,
  errorMessages: Record<string, string>,
): Promise<Result> => {
  let abort = () => {}
  const abortPromise = new Promise<never>((_, reject) => {
    abort = () => reject(new StorageError(failure.timeout))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([request, abortPromise])
  } catch (error) {
    throw toStorageError(error, errorMessages)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
