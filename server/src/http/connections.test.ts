import { connect, type Socket } from 'node:net'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend } from '../../test/backend'
import { listen, buildRequestHead } from '../../test/raw-request'
import { watchSlowBodies } from './slow-bodies'

/** A connection and the text that it has received. */
const openConnection = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  const received = { text: '' }
  socket.on('data', (chunk) => (received.text += String(chunk)))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received, closed }
}

describe('an incomplete body', () => {
  const minBytes = 100
  let server: Server
  let abortSlowBodies: () => void
  let port: number
  let receivedBytes = 0
  beforeEach(async () => {
    receivedBytes = 0
    server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => (receivedBytes += chunk.length))
      request.on('end', () => response.end(`received ${receivedBytes}`))
    })
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      socket.end(`HTTP/1.1 408 Request Timeout\r\n\r\n${error.code}`)
    })
    abortSlowBodies = watchSlowBodies(server, minBytes)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })

  const startUpload = async (length: number) => {
    const connection = await openConnection(port)
    connection.socket.write(buildRequestHead('POST', '/', { 'Content-Length': String(length) }))
    return connection
  }
  const send = async (socket: Socket, bytes: number) => {
    const expected = receivedBytes + bytes
    socket.write('x'.repeat(bytes))
    await expect.poll(() => receivedBytes).toBe(expected)
  }

  it('causes a 408 when it is slower than the minimum between two checks', async () => {
    const { socket, received, closed } = await startUpload(10_000)
    await send(socket, 500)
    abortSlowBodies()
    await send(socket, minBytes - 1)
    abortSlowBodies()
    await closed
    expect(received.text).toContain('408 Request Timeout')
    expect(received.text).toContain('ERR_HTTP_REQUEST_TIMEOUT')
  })

  it('may continue while it is fast enough', async () => {
    const { socket, received } = await startUpload(10 * minBytes)
    for (let round = 0; round < 10; round++) {
      abortSlowBodies()
      await send(socket, minBytes)
    }
    abortSlowBodies()
    abortSlowBodies()
    await expect.poll(() => received.text).toContain(`received ${10 * minBytes}`)
    socket.destroy()
  })

  it('is not aborted while the server has paused reading', async () => {
    server.removeAllListeners('request')
    let resumeReading: (() => void) | undefined
    server.on('request', (request, response) => {
      resumeReading = () => request.resume().on('end', () => response.end('read'))
    })
    abortSlowBodies = watchSlowBodies(server, minBytes)
    const { socket, received } = await startUpload(5)
    await expect.poll(() => resumeReading).toBeDefined()
    for (let round = 0; round < 3; round++) abortSlowBodies()
    resumeReading!()
    socket.write('short')
    await expect.poll(() => received.text).toContain('read')
    socket.destroy()
  })
})

describe('the connections of the server', () => {
  const connections = { max: 2, headersSeconds: 60, keepAliveSeconds: 72, bodySeconds: 1, bodyBytesPerSecond: 256 }
  afterEach(() => void vi.useRealTimers())

  it('are closed over MAX_CONNECTIONS, which is logged once', async () => {
    const backend = await startBackend({ config: { connections } })
    const port = await listen(backend.app)
    const openSockets = [await openConnection(port), await openConnection(port)]
    for (let attempt = 0; attempt < 3; attempt++) await (await openConnection(port)).closed
    expect(backend.log().match(/MAX_CONNECTIONS/g)).toHaveLength(1)
    openSockets[0]!.socket.destroy()
    await openSockets[0]!.closed
    await expect
      .poll(async () => {
        const { socket, received, closed } = await openConnection(port)
        socket.write(buildRequestHead('GET', '/healthz', { Connection: 'close' }))
        await closed
        return received.text
      })
      .toContain('200 OK')
    openSockets[1]!.socket.destroy()
    await backend.close()
  })

  it('log at most one line per minute while they are refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const backend = await startBackend({ config: { connections } })
    const countLines = () => backend.log().match(/MAX_CONNECTIONS/g)?.length ?? 0
    const refuseFor = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        backend.app.server.emit('drop')
        vi.advanceTimersByTime(1000)
      }
    }
    refuseFor(1)
    expect(countLines()).toBe(1)
    refuseFor(60)
    expect(countLines()).toBe(2)
    refuseFor(60)
    expect(countLines()).toBe(3)
    expect(backend.log().match(/"refused":\d+/g)).toEqual(['"refused":60', '"refused":60'])
    // the next refusal after a minute without one is logged at once
    vi.advanceTimersByTime(120_000)
    expect(countLines()).toBe(4)
    refuseFor(1)
    expect(countLines()).toBe(5)
    await backend.close()
  })

  it('get a 408 when a request body stalls', async () => {
    const backend = await startBackend({ config: { connections } })
    const port = await listen(backend.app)
    const { socket, received, closed } = await openConnection(port)
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' }
    socket.write(`${buildRequestHead('POST', '/v1/login', headers)}{`)
    await closed
    expect(received.text).toMatch(/^HTTP\/1.1 408 /)
    await backend.close()
  })

  it('have the limits of the settings', async () => {
    const backend = await startBackend({
      config: { connections: { ...connections, headersSeconds: 7, keepAliveSeconds: 9 } },
    })
    const { headersTimeout, keepAliveTimeout, requestTimeout, maxConnections } = backend.app.server
    expect({ headersTimeout, keepAliveTimeout, requestTimeout, maxConnections }).toEqual({
      headersTimeout: 7000,
      keepAliveTimeout: 9000,
      requestTimeout: 0,
      maxConnections: 2,
    })
    await backend.close()
  })
})
