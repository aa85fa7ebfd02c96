import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError } from '../../ports/recordings'

const { fault } = messages

/** What the network says, whoever the vendor is. */
const network: Record<string, string> = {
  ENOTFOUND: fault.noHost,
  EAI_AGAIN: fault.noHost,
  REFUSED_TARGET: fault.unreachable,
  ECONNREFUSED: fault.unreachable,
  ECONNRESET: fault.unreachable,
  EHOSTUNREACH: fault.unreachable,
  ENETUNREACH: fault.unreachable,
  ETIMEDOUT: fault.silent,
  ESOCKETTIMEDOUT: fault.silent,
  TimeoutError: fault.silent,
  AbortError: fault.silent,
  CERT_HAS_EXPIRED: fault.untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: fault.untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: fault.untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: fault.untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: fault.untrusted,
}

interface Told {
  statusCode?: number
  code?: number | string
  $metadata?: { httpStatusCode?: number }
}

/** The names that an error goes by, from the outermost to its causes: kits wrap what the network said. */
const codesOf = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, Code, name, statusCode, $metadata, cause, errors } = error as Record<string, unknown>
  const status = statusCode ?? ($metadata as Told['$metadata'])?.httpStatusCode
  const inner: unknown = Array.isArray(errors) ? errors[0] : cause
  return [...[code, Code, name, status].map(String), ...codesOf(inner, depth + 1)]
}

/** Names that kits, the language and the HTTP parser give to an answer that has no name of its own. */
const ofNobody = /^(undefined|Unknown|PARSE_ERROR|(\w+)?Error|HPE_\w+|ERR_\w+|EPROTO)$/
const isWord = (code: string) => /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(code) && !ofNobody.test(code)

/** What the number of an answer says that comes without words, as every answer to a HEAD does. */
const ofStatus = (status: string): string | undefined => {
  if (status === '401' || status === '403') return fault.denied
  return /^5\d\d$/.test(status) ? fault.failed : undefined
}

/** An error of a vendor's kit in our words. Its own message is never shown: nobody knows what stands in it. */
export const faultOf = (error: unknown, words: Record<string, string>): StorageError => {
  if (error instanceof StorageError) return error
  const codes = codesOf(error)
  const said = codes.map((code) => words[code] ?? network[code]).find(Boolean)
  const code = codes.find(isWord)
  const numbered = codes.map(ofStatus).find(Boolean)
  return new StorageError(said ?? (code ? fault.other(code) : (numbered ?? fault.unknown)))
}

/** Does an error say that there is no such object? */
const isMissing = (error: unknown): boolean => {
  const { statusCode, code, $metadata } = (error ?? {}) as Told
  return [statusCode, code, $metadata?.httpStatusCode].includes(404)
}

/** The bytes of an object, as its storage tells them. One that does not is none, whatever else it answers. */
export const sizeOf = (said: unknown): number => {
  const size = said === undefined || said === null ? NaN : Number(said)
  if (!Number.isSafeInteger(size)) throw new StorageError(fault.unknown)
  return size
}

/** What a kit says of an object; undefined where it says that there is none. */
export const ifThere = <Answer>(work: Promise<Answer>): Promise<Answer | undefined> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

const small = (name: string) => name.toLowerCase()

/** The names of what is said of an object, as kits hand them back: some keep the letters' case, some do not. */
export const inSmallLetters = (about: Record<string, unknown> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(about ?? {}).map(([name, value]) => [small(name), String(value)]))

/** Ends with the signal, also where a vendor's kit cannot be told to; every failure becomes a StorageFault. */
export const ending = async <Answer>(
  work: Promise<Answer>,
  signal: AbortSignal,
  words: Record<string, string>,
): Promise<Answer> => {
  let stop = () => {}
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(new StorageError(fault.silent))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, over])
  } catch (error) {
    throw faultOf(error, words)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
