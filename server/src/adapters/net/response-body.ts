import { UnavailableError } from '../../ports/service-errors'

/** Maximum bytes of a response: the body is held in memory. */
const defaultMaxBytes = 64 * 1024 * 1024

/**
 * Reads the body of a response. Throws UnavailableError if it is interrupted or too large.
 * @param serverName the subject of error messages
 */
export const readResponseBody = async (
  response: Response,
  serverName: string,
  maxBytes = defaultMaxBytes,
): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let byteCount = 0
  try {
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      byteCount += part.length
      // Breaking out of the loop closes the connection.
      if (byteCount > maxBytes) break
      parts.push(part)
    }
  } catch {
    throw new UnavailableError(`${serverName} interrupted its response. Try again later.`)
  }
  if (byteCount > maxBytes) throw new UnavailableError(`${serverName} sent a response that is too large.`)
  return Buffer.concat(parts)
}
