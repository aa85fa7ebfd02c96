import { request as overHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup, RefusedTarget } from './allowed-targets'

type Options = Pick<RequestOptions, 'method' | 'headers' | 'signal'> & { body?: string }

/** The beginning of a body, up to a number of bytes, and whether that is all of it. */
export const readBody = async (
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer; isComplete: boolean }> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isComplete: size <= maxBytes }
}

/**
 * Sends requests that reach permitted addresses only; others fail with RefusedTarget. A redirect is an answer like any other and
 * is not followed.
 */
export const guardedRequests = (permitted: (address: string) => boolean) => {
  const lookup = guardedLookup(permitted)
  return <Answer>(target: URL, { body, ...options }: Options, read: (response: IncomingMessage) => Promise<Answer>) =>
    new Promise<Answer>((resolve, reject) => {
      const host = target.hostname.replace(/^\[|\]$/g, '')
      // A host that is an address already is not looked up.
      if (isIP(host) && !permitted(host)) return reject(new RefusedTarget())
      const send = target.protocol === 'https:' ? overHttps : overHttp
      // Without an agent: a connection opened for another request was not checked.
      const request = send(target, { ...options, lookup, agent: false }, (response) => {
        read(response)
          .then(resolve, reject)
          .finally(() => request.destroy())
      })
      request.on('error', reject)
      request.end(body)
    })
}
