import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { createGuardedLookup, RefusedTargetError } from './allowed-targets'

type GuardedRequestOptions = Pick<RequestOptions, 'method' | 'headers' | 'signal'> & { body?: string }

/** Reads a body up to a number of bytes, and reports whether it is complete. */
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
 * Creates a function that sends HTTP requests to allowed addresses only; others fail with RefusedTargetError. Redirects are returned,
 * not followed.
 */
export const createGuardedSender = (isAllowed: (address: string) => boolean) => {
  const lookup = createGuardedLookup(isAllowed)
  return <Result>(
    target: URL,
    { body, ...options }: GuardedRequestOptions,
    readResponse: (response: IncomingMessage) => Promise<Result>,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const host = target.hostname.replace(/^\[|\]$/g, '')
      // Hosts that are IP addresses are not looked up.
      if (isIP(host) && !isAllowed(host)) return reject(new RefusedTargetError())
      const send = target.protocol === 'https:' ? httpsRequest : httpRequest
      // No agent: reused connections would bypass the address check.
      const request = send(target, { ...options, lookup, agent: false }, (response) => {
        readResponse(response)
          .then(resolve, reject)
          .finally(() => request.destroy())
      })
      request.on('error', reject)
      request.end(body)
    })
}
