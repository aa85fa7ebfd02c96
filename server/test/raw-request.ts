import { connect, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Lets an app listen on a free port of this machine. */
export const listen = async (app: FastifyInstance): Promise<number> => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Sends text as it is over a connection of its own and resolves with the head of the answer, whether or not the request is complete. */
export const answerToRaw = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
      if (!answer.includes('\r\n\r\n')) return
      resolve(answer)
      socket.destroy()
    })
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`closed without an answer: ${answer}`)))
    socket.write(text)
  })

/** The head of a request, with `Host` and without a body. */
export const requestHead = (method: string, path: string, headers: Record<string, string>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
