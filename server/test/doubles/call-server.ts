import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  path: string
  body: Record<string, unknown>
}

/** A double of a feature server: it records requests and responds as the test requires. */
export const callServer = async () => {
  const received: ReceivedRequest[] = []
  const actualResponse = { status: 201, body: '{"sid":"new","callId":"one@host"}' }
  const server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: JSON.parse(text) as ReceivedRequest['body'] })
      response.writeHead(actualResponse.status, { 'content-type': 'application/json' }).end(actualResponse.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    requests: received,
    nextResponse: actualResponse,
    url: `http://127.0.0.1:${port}`,
    stop: () => server.close(),
  }
}
