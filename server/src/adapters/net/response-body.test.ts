import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { listening, sendJson } from '../../../test/doubles/listening'
import { UnavailableError } from '../../ports/service-errors'
import { homerCaptures } from '../captures/homer'
import { jaegerTraces } from '../traces/jaeger'

/** Sends spaces until the client disconnects. */
const endless = (response: ServerResponse) => {
  const spaces = Buffer.alloc(1024 * 1024, ' ')
  const overrides = () => {
    while (!response.destroyed) if (!response.write(spaces)) return void response.once('drain', overrides)
  }
  overrides()
}

/** Starts a response and closes the connection. */
const cut = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{', () => response.destroy())
}

describe('an external server', () => {
  let stop = () => Promise.resolve()
  afterEach(() => stop())

  const open = async (actualResponse: (response: ServerResponse) => void) => {
    const server = await listening((request, response) => {
      request.resume()
      if (request.url?.endsWith('/auth')) return sendJson(response, 201, { token: 'a' })
      actualResponse(response)
    })
    stop = async () => {
      await server.stop()
    }
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    const jaeger = jaegerTraces(server.address)
    return [
      () => homer.pcap('one@host', 'invite'),
      () => homer.trace('one@host'),
      () => jaeger.find('1'.repeat(32)),
    ] as const
  }

  it.each([
    ['never ends', endless, /^The (capture|tracing) server sent a response that is too large/],
    ['is interrupted', cut, /^The (capture|tracing) server interrupted its response/],
  ])('whose response %s is reported', async (_, response, words) => {
    for (const ask of await open(response)) {
      const requests: Promise<unknown> = ask()
      await expect(requests).rejects.toThrow(UnavailableError)
      await expect(requests).rejects.toThrow(words)
    }
  })
})
