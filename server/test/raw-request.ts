import { connect, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Makes an app listen on a free port. */
export const listen = async (app: FastifyInstance): Promise<number> => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Sends raw text over a new connection and resolves with the response headers, even if the request is incomplete. */
export const sendRawRequest = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    socket.on('data', (chunk) => {
      response += String(chunk)
      if (!response.includes('\r\n\r\n')) return
      resolve(response)
      socket.destroy()
    })
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`closed without a response: ${response}`)))
    socket.write(text)
  })

/** The headers of a request, with `Host`. */
export const buildRequestHead = (method: string, path: string, headers: Record<string, string>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
