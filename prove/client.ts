import { Agent, request } from 'node:http'
import { requestCounter } from './http'

export interface ClientResponse {
  status: number
  text: string
  retryAfter: string | undefined
}

/** Sends JSON requests. Rejects if there is no complete response. */
export type SendRequest = (
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
) => Promise<ClientResponse>

export interface Client {
  send: SendRequest
  close: () => void
}

/**
 * Creates a client that is much faster than `fetch`, for proofs that send many requests.
 * @param timeoutMs how long a connection may be silent before the request fails
 * @param keepAlive false opens a connection per request
 */
export const createClient = (url: string, { timeoutMs = 60_000, keepAlive = true } = {}): Client => {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive, maxSockets: 64 })
  const send: SendRequest = (token, method, path, body) =>
    new Promise((resolve, reject) => {
      requestCounter.count += 1
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const outgoing = request(
        {
          agent,
          hostname,
          port,
          method,
          path,
          timeout: timeoutMs,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(content ? { 'content-type': 'application/json', 'content-length': content.length } : {}),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              retryAfter: response.headers['retry-after'],
            }),
          )
        },
      )
      outgoing.once('timeout', () => outgoing.destroy(new Error(`no response within ${timeoutMs} ms`)))
      outgoing.once('error', reject)
      outgoing.end(content)
    })
  return { send, close: () => agent.destroy() }
}
