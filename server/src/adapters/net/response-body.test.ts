import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startHttpServer, sendJson } from '../../../test/doubles/http-server'
import { UnavailableError } from '../../ports/service-errors'
import { createHomerCaptures } from '../captures/homer'
import { createJaegerTraces } from '../traces/jaeger'

/** Sends spaces until the client disconnects. */
const sendEndlessBody = (response: ServerResponse) => {
  const spaces = Buffer.alloc(1024 * 1024, ' ')
  const writeUntilFull = () => {
    while (!response.destroyed) if (!response.write(spaces)) return void response.once('drain', writeUntilFull)
  }
  writeUntilFull()
}

/** Starts a response, then closes the connection. */
const interruptBody = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{', () => response.destroy())
}

describe('a response of an external server', () => {
  let stop = () => Promise.resolve()
  afterEach(() => stop())

  /** Starts a server that signs clients in, and responds to other requests like this. Returns requests of each client. */
  const startServer = async (respond: (response: ServerResponse) => void) => {
    const server = await startHttpServer((request, response) => {
      request.resume()
      if (request.url?.endsWith('/auth')) return sendJson(response, 201, { token: 'a' })
      respond(response)
    })
    stop = async () => {
      await server.stop()
    }
    const homer = createHomerCaptures({ url: server.address, username: 'a', password: 'b' })
    const jaeger = createJaegerTraces(server.address)
    return [
      () => homer.findPcap('one@host', 'invite'),
      () => homer.findMessages('one@host'),
      () => jaeger.findParts('1'.repeat(32)),
    ] as const
  }

  it.each([
    ['never ends', sendEndlessBody, /^The (capture|tracing) server sent a response that is too large/],
    ['is interrupted', interruptBody, /^The (capture|tracing) server interrupted its response/],
  ])('that %s is reported as unavailable', async (_, respond, expectedMessage) => {
    for (const sendRequest of await startServer(respond)) {
      const pendingBody: Promise<unknown> = sendRequest()
      await expect(pendingBody).rejects.toThrow(UnavailableError)
      await expect(pendingBody).rejects.toThrow(expectedMessage)
    }
  })
})
