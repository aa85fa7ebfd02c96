import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Half a second of silence, as a WAV file. */
const silence = () => {
  const samples = Buffer.alloc(8000)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/**
 * A double of a self-hosted speech vendor. Synthesizes speech for requests with its token, and records their bodies.
 */
export const startSpeechVendor = async (token: string) => {
  const requestBodies: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
      requestBodies.push(JSON.parse(body))
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/speak`,
    requestBodies,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
