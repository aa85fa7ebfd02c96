import { Unavailable } from '../../ports/unavailable'

/** Bytes of an answer that is read as a whole: no more than fits into the memory of a server that others use too. */
const mostBytes = 64 * 1024 * 1024

/**
 * The body of what a server outside has answered. Throws Unavailable where it breaks off or does not come to an end.
 * @param server what people call that server, at the beginning of a sentence
 * @param most bytes that are read
 */
export const wholeBody = async (response: Response, server: string, most = mostBytes): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length
      // to leave lets go of the connection
      if (bytes > most) break
      parts.push(part)
    }
  } catch {
    throw new Unavailable(`${server} broke off its answer. Try again later.`)
  }
  if (bytes > most) throw new Unavailable(`${server} answers with more than can be read at once.`)
  return Buffer.concat(parts)
}
