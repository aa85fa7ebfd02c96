import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSeededDatabase } from '../../test/databases'
import {
  createHepChunk,
  hepPacketOf,
  connectOverTcp,
  sendOverUdp,
  createHepPacket,
  buildDialog,
} from '../../test/external/hep-agent'
import { createSqlCaptureStore } from '../adapters/captures/sql'
import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFullError, UnavailableError } from '../ports/service-errors'
import { openHepListener } from './hep-listener'

const startUs = 1_700_000_000_000_000
const buildPacketsOfCall = (callId: string, key?: string) =>
  buildDialog({ callId, startUs, ...(key === undefined ? {} : { key }) }).map((message) => hepPacketOf(message))

const limits = { maxPerAddress: 64, idleSeconds: 0 }

/** Creates a store that holds its messages in memory, and rejects writes with the errors in `failures`. */
const createMemoryStore = () => {
  const storedMessages: CapturedMessage[] = []
  const failures: Error[] = []
  const store: CaptureStore = {
    storeMessages(messages) {
      const failure = failures.shift()
      if (failure) return Promise.reject(failure)
      storedMessages.push(...messages)
      return Promise.resolve()
    },
    findMessages: () => Promise.resolve(undefined),
    findPcap: () => Promise.resolve(undefined),
    prune: () => Promise.resolve(),
  }
  return { store, storedMessages, failures }
}

describe('the HEP listener', () => {
  const log = { warn: vi.fn(), error: vi.fn() }
  const doNothing = () => Promise.resolve()
  let closeServer = doNothing
  const close = async () => {
    const currentClose = closeServer
    closeServer = doNothing
    await currentClose()
  }
  afterEach(async () => {
    await close()
    vi.clearAllMocks()
  })

  const openListener = async (store: CaptureStore, key?: string, overrides: Partial<typeof limits> = {}) => {
    const options = { port: 0, host: '127.0.0.1', limits: { ...limits, ...overrides } }
    const server = await openHepListener(store, { ...options, ...(key === undefined ? {} : { key }) }, log)
    closeServer = () => server.close()
    return server
  }
  const waitForMessages = (messages: readonly unknown[], count: number) =>
    vi.waitFor(() => expect(messages).toHaveLength(count), 5000)

  it('stores packets from UDP, which are then available as pcap', async () => {
    const database = await createSeededDatabase('sqlite')
    const store = createSqlCaptureStore(database, 0)
    const { port } = await openListener(store)
    await sendOverUdp(port, buildPacketsOfCall('one@host'))
    await vi.waitFor(async () => expect(await store.findMessages('one@host')).toMatchObject({ total: 8 }), 5000)
    expect((await store.findPcap('one@host', 'invite'))?.includes('m=audio 40218')).toBe(true)
    await close()
    await database.close()
  })

  it('keeps only the message of a packet in memory', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store)
    const [completePacket] = buildPacketsOfCall('one@host')
    const paddedPacket = createHepPacket(completePacket!.subarray(6), createHepChunk(99, Buffer.alloc(50_000), 7))
    await sendOverUdp(port, [paddedPacket])
    await waitForMessages(storedMessages, 1)
    const { source, target, payload } = storedMessages[0]!
    // Small buffers share a pool, whose size depends on the version of Node.
    for (const { buffer } of [source.address, target.address, payload])
      expect(buffer.byteLength === Buffer.poolSize || buffer.byteLength < 10_000).toBe(true)
  })

  it('stores packets from TCP with any split of the stream', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store)
    const socket = await connectOverTcp(port)
    const bytes = Buffer.concat(buildPacketsOfCall('one@host'))
    for (let index = 0; index < bytes.length; index += 333) {
      socket.write(bytes.subarray(index, index + 333))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await waitForMessages(storedMessages, 8)
    expect(storedMessages.map(({ timeUs }) => timeUs - startUs)).toEqual([
      0, 500_123, 502_000, 900_000, 2_400_000, 2_430_000, 9_400_000, 9_410_456,
    ])
    socket.destroy()
  })

  it('closes only the connection that sends something other than HEP', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store)
    const validSocket = await connectOverTcp(port)
    const invalidSocket = await connectOverTcp(port)
    invalidSocket.write('GET / HTTP/1.1\r\n\r\n')
    await once(invalidSocket, 'close')
    validSocket.write(Buffer.concat(buildPacketsOfCall('one@host')))
    await waitForMessages(storedMessages, 8)
    validSocket.destroy()
  })

  it('closes idle connections and logs it', async () => {
    const { store } = createMemoryStore()
    const { port } = await openListener(store, undefined, { idleSeconds: 0.05 })
    const socket = await connectOverTcp(port)
    await once(socket, 'close')
    expect(log.warn).toHaveBeenCalledWith({ 'closed, idle': 1 }, 'HEP connections were refused or closed')
  })

  it('limits the connections of one address, logs it once, and accepts others again', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store, undefined, { maxPerAddress: 2 })
    const [first, second] = [await connectOverTcp(port), await connectOverTcp(port)]
    for (const socket of [await connectOverTcp(port), await connectOverTcp(port)]) await once(socket, 'close')
    expect(log.warn.mock.calls).toEqual([
      [{ 'refused, too many from one address': 1 }, 'HEP connections were refused or closed'],
    ])
    first.destroy()
    await vi.waitFor(async () => {
      const socket = await connectOverTcp(port)
      if (storedMessages.length === 0) socket.write(Buffer.concat(buildPacketsOfCall('again@host')))
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
      expect(storedMessages).toHaveLength(8)
    }, 10_000)
    second.destroy()
  })

  it('refuses packets without the key', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store, 'secret')
    await sendOverUdp(port, [
      ...buildPacketsOfCall('none'),
      ...buildPacketsOfCall('wrong', 'secreT'),
      ...buildPacketsOfCall('longer', 'secret1'),
    ])
    await sendOverUdp(port, buildPacketsOfCall('right', 'secret'))
    await waitForMessages(storedMessages, 8)
    expect(new Set(storedMessages.map(({ callId }) => callId))).toEqual(new Set(['right']))
    await close()
    expect(log.warn).toHaveBeenCalledWith({ wrongKey: 24 }, 'Captured packets were dropped')
  })

  it('drops packets without SIP and logs their number', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store)
    const [invite] = buildDialog({ callId: 'one', startUs })
    await sendOverUdp(port, [
      hepPacketOf({ ...invite!, payloadType: 5, payload: '{}' }),
      hepPacketOf({ ...invite!, payload: '\r\n\r\n' }),
      Buffer.from('nonsense'),
      hepPacketOf(invite!),
    ])
    await waitForMessages(storedMessages, 1)
    await close()
    expect(log.warn).toHaveBeenCalledWith({ notSip: 2, notHep: 1 }, 'Captured packets were dropped')
  })

  it('logs once that the storage is full, and once that it is available again', async () => {
    const { store, storedMessages, failures } = createMemoryStore()
    const { port } = await openListener(store)
    failures.push(new StorageFullError('disk full'), new StorageFullError('disk full'))
    for (const callId of ['lost', 'lost again']) {
      const remainingFailures = failures.length
      await sendOverUdp(port, buildPacketsOfCall(callId))
      await vi.waitFor(() => expect(failures).toHaveLength(remainingFailures - 1), 5000)
    }
    await sendOverUdp(port, buildPacketsOfCall('stored'))
    await waitForMessages(storedMessages, 8)
    expect(log.error.mock.calls).toEqual([['New captures are refused: disk full']])
    expect(log.warn.mock.calls).toEqual([['Storage has recovered. New captures are accepted.']])
  })

  it('retries messages until the database is back', async () => {
    const { store, storedMessages, failures } = createMemoryStore()
    const { port } = await openListener(store)
    failures.push(new UnavailableError('later'))
    await sendOverUdp(port, buildPacketsOfCall('one'))
    await waitForMessages(storedMessages, 8)
  })

  it('survives random input', async () => {
    const { store, storedMessages } = createMemoryStore()
    const { port } = await openListener(store)
    let seed = 11
    const nextInteger = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * limit)
    }
    const [completePacket] = buildPacketsOfCall('one') as [Buffer]
    const noise = Array.from({ length: 600 }, (_, round) => {
      const bytes = round % 5 ? Buffer.from(completePacket) : Buffer.alloc(1 + nextInteger(400))
      for (let count = 0; count < 6; count += 1) bytes[nextInteger(bytes.length)] = nextInteger(256)
      return bytes.subarray(0, 1 + nextInteger(bytes.length))
    })
    await sendOverUdp(port, noise)
    for (let index = 0; index < noise.length; index += 60) {
      const socket = await connectOverTcp(port)
      socket.on('error', () => {})
      socket.end(Buffer.concat([Buffer.from('HEP3'), ...noise.slice(index, index + 60)]))
      await once(socket, 'close')
    }
    const storedBefore = storedMessages.length
    await sendOverUdp(port, buildPacketsOfCall('after'))
    await vi.waitFor(() => expect(storedMessages.filter(({ callId }) => callId === 'after')).toHaveLength(8), 5000)
    expect(storedBefore).toBeLessThan(noise.length)
  })

  it('opens both ports or none', async () => {
    const host = '127.0.0.1'
    const otherServer = createServer().listen(0, host)
    await once(otherServer, 'listening')
    const { port } = otherServer.address() as AddressInfo
    const open = () => openHepListener(createMemoryStore().store, { port, host, limits }, log)
    await expect(open()).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' })
    otherServer.close()
    await once(otherServer, 'close')

    const otherSocket = createSocket('udp4').bind(port, host)
    await once(otherSocket, 'listening')
    await expect(open()).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'bind' })
    otherSocket.close()
    await once(otherSocket, 'close')

    const listener = await open()
    expect(listener.port).toBe(port)
    await listener.close()
  })
})
