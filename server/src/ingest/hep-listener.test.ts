import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fresh } from '../../test/engines'
import { chunk, hepOf, overTcp, overUdp, packet, talk } from '../../test/external/hep-agent'
import { sqlCaptures } from '../adapters/captures/sql'
import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFull, Unavailable } from '../ports/unavailable'
import { openHep } from './hep-listener'

const start = 1_700_000_000_000_000
const callOf = (callId: string, key?: string) =>
  talk({ callId, start, ...(key === undefined ? {} : { key }) }).map((each) => hepOf(each))

const limits = { maxPerAddress: 64, idleSeconds: 0 }

/** A store that remembers what it was given, and fails as it is told. */
const memory = () => {
  const kept: CapturedMessage[] = []
  const failures: Error[] = []
  const store: CaptureStore = {
    keep(messages) {
      const failure = failures.shift()
      if (failure) return Promise.reject(failure)
      kept.push(...messages)
      return Promise.resolve()
    },
    trace: () => Promise.resolve(undefined),
    pcap: () => Promise.resolve(undefined),
    prune: () => Promise.resolve(),
  }
  return { store, kept, failures }
}

describe('the door for captures', () => {
  const log = { warn: vi.fn(), error: vi.fn() }
  const nothing = () => Promise.resolve()
  let shut = nothing
  const close = async () => {
    const now = shut
    shut = nothing
    await now()
  }
  afterEach(async () => {
    await close()
    vi.clearAllMocks()
  })

  const open = async (store: CaptureStore, key?: string, more: Partial<typeof limits> = {}) => {
    const options = { port: 0, host: '127.0.0.1', limits: { ...limits, ...more } }
    const door = await openHep(store, { ...options, ...(key === undefined ? {} : { key }) }, log)
    shut = () => door.close()
    return door
  }
  const until = (kept: readonly unknown[], many: number) => vi.waitFor(() => expect(kept).toHaveLength(many), 5000)

  it('takes in what comes over UDP, which then is a file', async () => {
    const database = await fresh('sqlite')
    const store = sqlCaptures(database, 0)
    const { port } = await open(store)
    await overUdp(port, callOf('one@host'))
    await vi.waitFor(async () => expect(await store.trace('one@host')).toMatchObject({ total: 8 }), 5000)
    expect((await store.pcap('one@host', 'invite'))?.includes('m=audio 40218')).toBe(true)
    await close()
    await database.close()
  })

  it('remembers of a packet no more than its message', async () => {
    const { store, kept } = memory()
    const { port } = await open(store)
    const [whole] = callOf('one@host')
    const padded = packet(whole!.subarray(6), chunk(99, Buffer.alloc(50_000), 7))
    await overUdp(port, [padded])
    await until(kept, 1)
    const { source, target, payload } = kept[0]!
    for (const { buffer } of [source.address, target.address, payload]) expect(buffer.byteLength).toBeLessThan(10_000)
  })

  it('takes in what comes over TCP, however it is cut', async () => {
    const { store, kept } = memory()
    const { port } = await open(store)
    const socket = await overTcp(port)
    const bytes = Buffer.concat(callOf('one@host'))
    for (let at = 0; at < bytes.length; at += 333) {
      socket.write(bytes.subarray(at, at + 333))
      await new Promise((next) => setImmediate(next))
    }
    await until(kept, 8)
    expect(kept.map(({ time }) => time - start)).toEqual([
      0, 500_123, 502_000, 900_000, 2_400_000, 2_430_000, 9_400_000, 9_410_456,
    ])
    socket.destroy()
  })

  it('ends a connection that sends something else, and no other', async () => {
    const { store, kept } = memory()
    const { port } = await open(store)
    const good = await overTcp(port)
    const bad = await overTcp(port)
    bad.write('GET / HTTP/1.1\r\n\r\n')
    await once(bad, 'close')
    good.write(Buffer.concat(callOf('one@host')))
    await until(kept, 8)
    good.destroy()
  })

  it('closes a connection that has been idle, and says so in the log', async () => {
    const { store } = memory()
    const { port } = await open(store, undefined, { idleSeconds: 0.05 })
    const socket = await overTcp(port)
    await once(socket, 'close')
    expect(log.warn).toHaveBeenCalledWith({ 'closed, idle': 1 }, 'HEP connections were closed')
  })

  it('refuses connections beyond the limit of one address, says so once, and accepts others again', async () => {
    const { store, kept } = memory()
    const { port } = await open(store, undefined, { maxPerAddress: 2 })
    const [first, second] = [await overTcp(port), await overTcp(port)]
    for (const socket of [await overTcp(port), await overTcp(port)]) await once(socket, 'close')
    expect(log.warn.mock.calls).toEqual([[{ 'refused, too many from one address': 1 }, 'HEP connections were closed']])
    first.destroy()
    await vi.waitFor(async () => {
      const socket = await overTcp(port)
      if (kept.length === 0) socket.write(Buffer.concat(callOf('again@host')))
      await new Promise((written) => setTimeout(written, 100))
      socket.destroy()
      expect(kept).toHaveLength(8)
    }, 10_000)
    second.destroy()
  })

  it('takes in nothing without the key', async () => {
    const { store, kept } = memory()
    const { port } = await open(store, 'secret')
    await overUdp(port, [...callOf('none'), ...callOf('wrong', 'secreT'), ...callOf('longer', 'secret1')])
    await overUdp(port, callOf('right', 'secret'))
    await until(kept, 8)
    expect(new Set(kept.map(({ callId }) => callId))).toEqual(new Set(['right']))
    await close()
    expect(log.warn).toHaveBeenCalledWith({ refused: 24 }, 'Captured packets were left out')
  })

  it('leaves out what is no SIP, and says how much', async () => {
    const { store, kept } = memory()
    const { port } = await open(store)
    const [invite] = talk({ callId: 'one', start })
    await overUdp(port, [
      hepOf({ ...invite!, kind: 5, payload: '{}' }),
      hepOf({ ...invite!, payload: '\r\n\r\n' }),
      Buffer.from('nonsense'),
      hepOf(invite!),
    ])
    await until(kept, 1)
    await close()
    expect(log.warn).toHaveBeenCalledWith({ other: 2, unreadable: 1 }, 'Captured packets were left out')
  })

  it('says once that nothing can be written, and once that it can again', async () => {
    const { store, kept, failures } = memory()
    const { port } = await open(store)
    failures.push(new StorageFull('no room'), new StorageFull('no room'))
    for (const callId of ['lost', 'lost too']) {
      const left = failures.length
      await overUdp(port, callOf(callId))
      await vi.waitFor(() => expect(failures).toHaveLength(left - 1), 5000)
    }
    await overUdp(port, callOf('kept'))
    await until(kept, 8)
    expect(log.error.mock.calls).toEqual([['New captures are refused: no room']])
    expect(log.warn.mock.calls).toEqual([['Captures are taken in again']])
  })

  it('keeps what a database that is away did not take, until it is back', async () => {
    const { store, kept, failures } = memory()
    const { port } = await open(store)
    failures.push(new Unavailable('later'))
    await overUdp(port, callOf('one'))
    await until(kept, 8)
  })

  it('survives whatever is thrown at it', async () => {
    const { store, kept } = memory()
    const { port } = await open(store)
    let seed = 11
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const [whole] = callOf('one') as [Buffer]
    const noise = Array.from({ length: 600 }, (_, round) => {
      const bytes = round % 5 ? Buffer.from(whole) : Buffer.alloc(1 + next(400))
      for (let times = 0; times < 6; times += 1) bytes[next(bytes.length)] = next(256)
      return bytes.subarray(0, 1 + next(bytes.length))
    })
    await overUdp(port, noise)
    for (let at = 0; at < noise.length; at += 60) {
      const socket = await overTcp(port)
      socket.on('error', () => {})
      socket.end(Buffer.concat([Buffer.from('HEP3'), ...noise.slice(at, at + 60)]))
      await once(socket, 'close')
    }
    const before = kept.length
    await overUdp(port, callOf('still here'))
    await vi.waitFor(() => expect(kept.filter(({ callId }) => callId === 'still here')).toHaveLength(8), 5000)
    expect(before).toBeLessThan(noise.length)
  })

  it('is not opened half', async () => {
    const taken = createSocket('udp4')
    taken.bind(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = taken.address().port
    await expect(openHep(memory().store, { port, host: '127.0.0.1', limits }, log)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
    taken.close()
  })
})
