import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { callServer } from '../../../test/doubles/call-server'
import { apiClient } from '../../../test/speak'
import { redisPlatform } from '../../adapters/live-platform/redis'

/** A database of the test run's Redis that no other test uses. */
const redisUrl = process.env.TEST_REDIS_URL && `${process.env.TEST_REDIS_URL}/6`

describe.skipIf(!redisUrl)('malformed platform data', () => {
  let backend: Backend
  let redis: Redis
  let server: Awaited<ReturnType<typeof callServer>>
  beforeAll(async () => {
    redis = new Redis(redisUrl!)
    await redis.flushdb()
    server = await callServer()
    backend = await startBackend({ outside: { livePlatform: redisPlatform({ redis: redisUrl!, cluster: 'c1' }) } })
  })
  afterEach(() => redis.flushdb())
  afterAll(async () => {
    server.stop()
    redis.disconnect()
    backend.services.livePlatform.close()
    await backend.close()
  })

  const account = () => backend.world.acme.account
  const send = (method: 'GET' | 'POST', path: string, body?: unknown) =>
    apiClient(backend.app, backend.world.keys.acme)(method, `/Accounts/${account()}${path}`, body)

  it('of one call does not hide the others', async () => {
    const begin = async (call_sid: string, body: Record<string, string>) => {
      const key = `call:${account()}:${call_sid}`
      await redis.hset(key, { callSid: call_sid, ...body })
      await redis.zadd('active-call-sids', 1, key)
    }
    await begin('good', { duration: '7', sipStatus: '200' })
    await begin('odd', { duration: 'undefined', sipStatus: '', from: '' })
    const { status, body } = await send('GET', '/Calls')
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { call_sid: 'good', account_sid: account(), duration: 7, sip_status: 200 },
        { call_sid: 'odd', account_sid: account(), from: '' },
      ],
    })
    const north = apiClient(backend.app, backend.world.keys.north)
    expect((await north('GET', `/ServiceProviders/${backend.world.providers.north}/Calls`)).body).toHaveLength(2)
  })

  it('of one device does not hide the others', async () => {
    const expiryTime = Date.now() + 60_000
    const register = (user: string, body: string) => redis.set(`user:${user}@acme.example.com`, body)
    await register('good', JSON.stringify({ contact: 'sip:good', protocol: 'udp', expiryTime }))
    await register('odd', '{"contact":5,"protocol":{},"sbcAddress":{},"proxy":[],"expiryTime":"soon"}')
    await register('text', JSON.stringify({ contact: 'sip:text', expiryTime: String(expiryTime) }))
    await register('endless', '{"expiryTime":1e999}')
    await register('list', '[1]')
    const { status, body } = await send('POST', '/RegisteredSipUsers')
    expect(status).toBe(200)
    const silent = {
      contact: null,
      protocol: null,
      sbcAddress: null,
      proxy: null,
      expiryTime: 0,
      registered_status: 'inactive',
    }
    expect(body).toMatchObject([
      { name: 'endless', ...silent },
      { name: 'good', contact: 'sip:good', protocol: 'udp', expiryTime, registered_status: 'active' },
      { name: 'list', ...silent },
      { name: 'odd', ...silent },
      { name: 'text', contact: 'sip:text', expiryTime, registered_status: 'active' },
    ])
  })

  it('requests only the named users, and none for an invalid name', async () => {
    expect((await send('POST', '/RegisteredSipUsers', { jo: 1 })).body).toEqual([])
    for (const invalid of [['jo', 5], ['jo', null], Array<string>(1001).fill('jo')])
      expect(await send('POST', '/RegisteredSipUsers', invalid)).toMatchObject({ status: 400 })
  })

  it('ignores counts that are not numbers', async () => {
    await redis.set(`incalls:account:${account()}`, 'many')
    await redis.set(`outcalls:account:${account()}`, '1e999')
    expect((await send('GET', '/CallCount')).body).toEqual({ inbound: 0, outbound: 0 })
  })

  it.each([
    ['', 'Internal Server Error'],
    ['null', 'null'],
    ['[1]', '[1]'],
    ['begun', 'begun'],
  ])('has not started a call if it responds with %j', async (said, received) => {
    await redis.sadd('c1:fs-service-url', server.url)
    Object.assign(server.nextResponse, { status: 201, body: said })
    const call = { from: '1', to: { type: 'phone', number: '2' }, application_sid: backend.world.acme.application }
    expect(await send('POST', '/Calls', call)).toMatchObject({ status: 500, body: received })
  })

  it.each<[string, object]>([
    ['conf_mute_status', { toString: 'mute' }],
    ['call_status', ['completed']],
    ['conferenceParticipantAction', { action: { toString: 'tag' } }],
  ])('is not sent an invalid value for %s', async (field, said) => {
    await redis.hset(`call:${account()}:one`, { callSid: 'one', serviceUrl: server.url })
    expect(await send('POST', '/Calls/one', { [field]: said })).toEqual(
      expect.objectContaining({ status: 400, body: { msg: `invalid ${field}`, field } }),
    )
  })

  it('is invisible to other accounts, and without a valid SID to all', async () => {
    for (const path of ['/Calls', '/Queues', '/RegisteredSipUsers', '/Calls/x']) {
      const bolt = apiClient(backend.app, backend.world.keys.bolt)
      expect(await bolt('GET', `/Accounts/${account()}${path}`)).toMatchObject({
        status: 403,
        body: { msg: 'insufficient permissions' },
      })
      expect(await bolt('GET', `/Accounts/x${path}`)).toMatchObject({ status: 400, body: { msg: 'Bad request' } })
    }
  })
})
