import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fresh } from '../../test/engines'
import { chunk, hepOf, overTcp, overUdp, packet, talk } from '../../test/external/hep-agent'
import { sqlCaptures } from '../adapters/captures/sql'
import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFullError, UnavailableError } from '../ports/service-errors'
import { openHepListener } from './hep-listener'

const start = 1_700_000_000_000_000
const callOf = (callId: string, key?: string) =>
  talk({ callId, start, ...(key === undefined ? {} : { key }) }).map((item) => hepOf(item))

const limits = { maxPerAddress: 64, idleSeconds: 0 }

/** A store that records its messages and fails on demand. */
const memory = () => {
  const stored: CapturedMessage[] = []
  const failures: Error[] = []
  const store: CaptureStore = {
    add(messages) {
      const failure = failures.shift()
      if (failure) return Promise.reject(failure)
      stored.push(...messages)
      return Promise.resolve()
    },
    trace: () => Promise.resolve(undefined),
    pcap: () => Promise.resolve(undefined),
    prune: () => Promise.resolve(),
  }
  return { store, kept: stored, failures }
}

describe('the HEP listener', () => {
  const log = { warn: vi.fn(), error: vi.fn() }
  const noContent = () => Promise.resolve()
  let shut = noContent
  const close = async () => {
    const now = shut
    shut = noContent
    await now()
  }
  afterEach(async () => {
    await close()
    vi.clearAllMocks()
  })

  const open = async (store: CaptureStore, key?: string, overrides: Partial<typeof limits> = {}) => {
    const options = { port: 0, host: '127.0.0.1', limits: { ...limits, ...overrides } }
    const server = await openHepListener(store, { ...options, ...(key === undefined ? {} : { key }) }, log)
    shut = () => server.close()
    return server
  }
  const until = (stored: readonly unknown[], count: number) =>
    vi.waitFor(() => expect(stored).toHaveLength(count), 5000)

  it('stores packets from UDP, which are then available as pcap', async () => {
    const database = await fresh('sqlite')
    const store = sqlCaptures(database, 0)
    const { port } = await open(store)
    await overUdp(port, callOf('one@host'))
    await vi.waitFor(async () => expect(await store.trace('one@host')).toMatchObject({ total: 8 }), 5000)
    expect((await store.pcap('one@host', 'invite'))?.includes('m=audio 40218')).toBe(true)
    await close()
    await database.close()
  })

  it('keeps only the message of a packet in memory', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store)
    const [complete] = callOf('one@host')
    const padded = packet(complete!.subarray(6), chunk(99, Buffer.alloc(50_000), 7))
    await overUdp(port, [padded])
    await until(stored, 1)
    const { source, target, payload } = stored[0]!
    for (const { buffer } of [source.address, target.address, payload]) expect(buffer.byteLength).toBeLessThan(10_000)
  })

  it('stores packets from TCP, however the stream is split', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store)
    const socket = await overTcp(port)
    const bytes = Buffer.concat(callOf('one@host'))
    for (let index = 0; index < bytes.length; index += 333) {
      socket.write(bytes.subarray(index, index + 333))
      await new Promise((next) => setImmediate(next))
    }
    await until(stored, 8)
    expect(stored.map(({ time }) => time - start)).toEqual([
      0, 500_123, 502_000, 900_000, 2_400_000, 2_430_000, 9_400_000, 9_410_456,
    ])
    socket.destroy()
  })

  it('closes a connection that sends something else, and no other', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store)
    const good = await overTcp(port)
    const invalid = await overTcp(port)
    invalid.write('GET / HTTP/1.1\r\n\r\n')
    await once(invalid, 'close')
    good.write(Buffer.concat(callOf('one@host')))
    await until(stored, 8)
    good.destroy()
  })

  it('closes idle connections and logs it', async () => {
    const { store } = memory()
    const { port } = await open(store, undefined, { idleSeconds: 0.05 })
    const socket = await overTcp(port)
    await once(socket, 'close')
    expect(log.warn).toHaveBeenCalledWith({ 'closed, idle': 1 }, 'HEP connections were closed')
  })

  it('limits the connections of one address, logs it once, and accepts others again', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store, undefined, { maxPerAddress: 2 })
    const [first, second] = [await overTcp(port), await overTcp(port)]
    for (const socket of [await overTcp(port), await overTcp(port)]) await once(socket, 'close')
    expect(log.warn.mock.calls).toEqual([[{ 'refused, too many from one address': 1 }, 'HEP connections were closed']])
    first.destroy()
    await vi.waitFor(async () => {
      const socket = await overTcp(port)
      if (stored.length === 0) socket.write(Buffer.concat(callOf('again@host')))
      await new Promise((written) => setTimeout(written, 100))
      socket.destroy()
      expect(stored).toHaveLength(8)
    }, 10_000)
    second.destroy()
  })

  it('refuses packets without the key', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store, 'secret')
    await overUdp(port, [...callOf('none'), ...callOf('wrong', 'secreT'), ...callOf('longer', 'secret1')])
    await overUdp(port, callOf('right', 'secret'))
    await until(stored, 8)
    expect(new Set(stored.map(({ callId }) => callId))).toEqual(new Set(['right']))
    await close()
    expect(log.warn).toHaveBeenCalledWith({ refused: 24 }, 'Captured packets were dropped')
  })

  it('drops packets without SIP and logs their number', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store)
    const [invite] = talk({ callId: 'one', start })
    await overUdp(port, [
      hepOf({ ...invite!, kind: 5, payload: '{}' }),
      hepOf({ ...invite!, payload: '\r\n\r\n' }),
      Buffer.from('nonsense'),
      hepOf(invite!),
    ])
    await until(stored, 1)
    await close()
    expect(log.warn).toHaveBeenCalledWith({ other: 2, unreadable: 1 }, 'Captured packets were dropped')
  })

  it('logs once that the storage is full, and once that it is available again', async () => {
    const { store, kept: stored, failures } = memory()
    const { port } = await open(store)
    failures.push(new StorageFullError('no room'), new StorageFullError('no room'))
    for (const callId of ['lost', 'lost too']) {
      const left = failures.length
      await overUdp(port, callOf(callId))
      await vi.waitFor(() => expect(failures).toHaveLength(left - 1), 5000)
    }
    await overUdp(port, callOf('kept'))
    await until(stored, 8)
    expect(log.error.mock.calls).toEqual([['New captures are refused: no room']])
    expect(log.warn.mock.calls).toEqual([['New captures are stored again']])
  })

  it('retries messages until the database is back', async () => {
    const { store, kept: stored, failures } = memory()
    const { port } = await open(store)
    failures.push(new UnavailableError('later'))
    await overUdp(port, callOf('one'))
    await until(stored, 8)
  })

  it('survives random input', async () => {
    const { store, kept: stored } = memory()
    const { port } = await open(store)
    let seed = 11
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const [complete] = callOf('one') as [Buffer]
    const noise = Array.from({ length: 600 }, (_, round) => {
      const bytes = round % 5 ? Buffer.from(complete) : Buffer.alloc(1 + next(400))
      for (let count = 0; count < 6; count += 1) bytes[next(bytes.length)] = next(256)
      return bytes.subarray(0, 1 + next(bytes.length))
    })
    await overUdp(port, noise)
    for (let index = 0; index < noise.length; index += 60) {
      const socket = await overTcp(port)
      socket.on('error', () => {})
      socket.end(Buffer.concat([Buffer.from('HEP3'), ...noise.slice(index, index + 60)]))
      await once(socket, 'close')
    }
    const initialValue = stored.length
    await overUdp(port, callOf('still here'))
    await vi.waitFor(() => expect(stored.filter(({ callId }) => callId === 'still here')).toHaveLength(8), 5000)
    expect(initialValue).toBeLessThan(noise.length)
  })

  it('opens both ports or none', async () => {
    const occupied = createSocket('udp4')
    occupied.bind(0, '127.0.0.1')
    await once(occupied, 'listening')
    const port = occupied.address().port
    await expect(openHepListener(memory().store, { port, host: '127.0.0.1', limits }, log)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    occupied.close()
  })
})
