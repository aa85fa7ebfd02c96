import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captured } from '../../../test/captured'
import { login, startHomer } from '../../../test/doubles/homer'
import { UnavailableError } from '../../ports/service-errors'
import { homerCaptures } from './homer'

describe('captures in Homer', () => {
  let homer: Awaited<ReturnType<typeof startHomer>>
  beforeAll(async () => {
    homer = await startHomer()
    homer.addMessages([captured('one@host', { dialogue: 'register' })])
  })
  afterAll(() => homer.stop())

  it('are read with a token that is reused until it expires', async () => {
    const captures = homerCaptures({ url: homer.url, ...login })
    expect(await captures.trace('one@host')).toMatchObject({ total: 1 })
    expect(await captures.pcap('one@host', 'register')).toBeDefined()
    expect(await captures.trace('none@host')).toMatchObject({ total: 0 })
    homer.expireToken()
    expect(await captures.pcap('one@host', 'register')).toBeDefined()
    expect(homer.requests.map(({ path }) => path.replace('/api/v3', ''))).toEqual([
      '/auth',
      '/call/transaction',
      '/export/call/messages/pcap',
      '/call/transaction',
      '/export/call/messages/pcap',
      '/auth',
      '/export/call/messages/pcap',
    ])
    const { timestamp, param } = homer.requests[2]!.body as { timestamp: { from: number; to: number }; param: object }
    expect(timestamp.to - timestamp.from).toBe(7 * 24 * 60 * 60 * 1000)
    expect(param).toEqual({
      transaction: { call: false, registration: true, rest: false },
      orlogic: true,
      search: { '1_registration': { callid: ['one@host'] } },
    })
  })

  it('are searched within the last week only', async () => {
    const captures = homerCaptures({ url: homer.url, ...login })
    homer.addMessages([captured('old@host', { time: (Date.now() - 8 * 24 * 60 * 60 * 1000) * 1000 })])
    expect(await captures.trace('old@host')).toMatchObject({ total: 0 })
    expect(await captures.pcap('old@host', 'invite')).toBeUndefined()
  })

  it('explain rejected credentials and an unreachable server', async () => {
    const unknownClient = homerCaptures({ url: homer.url, ...login, password: 'wrong' })
    await expect(unknownClient.trace('one@host')).rejects.toThrow(UnavailableError)
    const unreachable = homerCaptures({ url: 'http://127.0.0.1:9', ...login })
    await expect(unreachable.pcap('one@host', 'register')).rejects.toThrow('The capture server does not respond')
  })
})
