import { messages } from '@trunkline/contract/messages/bucket'
import { StorageFault } from '../../ports/recordings'

const { fault } = messages

/** What the network says, whoever the vendor is. */
const network: Record<string, string> = {
  ENOTFOUND: fault.noHost,
  EAI_AGAIN: fault.noHost,
  ECONNREFUSED: fault.refused,
  ECONNRESET: fault.refused,
  EHOSTUNREACH: fault.refused,
  ENETUNREACH: fault.refused,
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

/** The names that an error goes by, from the outermost to its causes: kits wrap what the network said. */
const codesOf = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const { code, Code, name, statusCode, cause, errors } = error as Record<string, unknown>
  const inner: unknown = Array.isArray(errors) ? errors[0] : cause
  return [...[code, Code, name, statusCode].map(String), ...codesOf(inner, depth + 1)]
}

const isWord = (code: string) => /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(code) && !['Error', 'undefined'].includes(code)

/** An error of a vendor's kit in our words. Its own message is never shown: nobody knows what stands in it. */
export const faultOf = (error: unknown, words: Record<string, string>): StorageFault => {
  if (error instanceof StorageFault) return error
  const codes = codesOf(error)
  const said = codes.map((code) => words[code] ?? network[code]).find(Boolean)
  const code = codes.find(isWord)
  return new StorageFault(said ?? (code ? fault.other(code) : fault.unknown))
}

interface Told {
  statusCode?: number
  code?: number | string
  $metadata?: { httpStatusCode?: number }
}

/** Does an error say that there is no such object? */
const isMissing = (error: unknown): boolean => {
  const { statusCode, code, $metadata } = (error ?? {}) as Told
  return [statusCode, code, $metadata?.httpStatusCode].includes(404)
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
    stop = () => reject(new StorageFault(fault.silent))
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
