import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  path: string
  body: Record<string, unknown>
}

/** A double of a feature server: it records requests and responds as the test requires. */
export const startFeatureServer = async () => {
  const requests: ReceivedRequest[] = []
  const nextResponse = { status: 201, body: '{"sid":"new","callId":"one@host"}' }
  const server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', body: JSON.parse(text) as ReceivedRequest['body'] })
      response.writeHead(nextResponse.status, { 'content-type': 'application/json' }).end(nextResponse.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    nextResponse,
    url: `http://127.0.0.1:${port}`,
    stop: () => server.close(),
  }
}
