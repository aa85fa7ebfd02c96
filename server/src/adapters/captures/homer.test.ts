import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCapturedMessage } from '../../../test/captured-message'
import { homerLogin, startHomer } from '../../../test/doubles/homer'
import { UnavailableError } from '../../ports/service-errors'
import { createHomerCaptures } from './homer'

describe('captures in Homer', () => {
  let homer: Awaited<ReturnType<typeof startHomer>>
  beforeAll(async () => {
    homer = await startHomer()
    homer.addMessages([buildCapturedMessage('one@host', { dialogType: 'register' })])
  })
  afterAll(() => homer.stop())

  it('are read with a token that is reused until it expires', async () => {
    const captures = createHomerCaptures({ url: homer.url, ...homerLogin })
    expect(await captures.findMessages('one@host')).toMatchObject({ total: 1 })
    expect(await captures.findPcap('one@host', 'register')).toBeDefined()
    expect(await captures.findMessages('none@host')).toMatchObject({ total: 0 })
    homer.expireToken()
    expect(await captures.findPcap('one@host', 'register')).toBeDefined()
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
    const captures = createHomerCaptures({ url: homer.url, ...homerLogin })
    homer.addMessages([buildCapturedMessage('old@host', { timeUs: (Date.now() - 8 * 24 * 60 * 60 * 1000) * 1000 })])
    expect(await captures.findMessages('old@host')).toMatchObject({ total: 0 })
    expect(await captures.findPcap('old@host', 'invite')).toBeUndefined()
  })

  it('explain rejected credentials and an unreachable server', async () => {
    const capturesWithWrongPassword = createHomerCaptures({ url: homer.url, ...homerLogin, password: 'wrong' })
    await expect(capturesWithWrongPassword.findMessages('one@host')).rejects.toThrow(UnavailableError)
    const capturesOfUnreachableServer = createHomerCaptures({ url: 'http://127.0.0.1:9', ...homerLogin })
    await expect(capturesOfUnreachableServer.findPcap('one@host', 'register')).rejects.toThrow(
      'The capture server does not respond',
    )
  })
})
