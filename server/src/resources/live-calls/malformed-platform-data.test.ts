import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { startFeatureServer } from '../../../test/doubles/feature-server'
import { createApiClient } from '../../../test/api-client'
import { createRedisPlatform } from '../../adapters/live-platform/redis'

/** A database of the test run's Redis that no other test uses. */
const redisUrl = process.env.TEST_REDIS_URL && `${process.env.TEST_REDIS_URL}/6`

describe.skipIf(!redisUrl)('a platform with malformed data', () => {
  let backend: Backend
  let redis: Redis
  let featureServer: Awaited<ReturnType<typeof startFeatureServer>>
  beforeAll(async () => {
    redis = new Redis(redisUrl!)
    await redis.flushdb()
    featureServer = await startFeatureServer()
    backend = await startBackend({
      externalServices: { livePlatform: createRedisPlatform({ redis: redisUrl!, cluster: 'c1' }) },
    })
  })
  afterEach(() => redis.flushdb())
  afterAll(async () => {
    featureServer.stop()
    redis.disconnect()
    backend.services.livePlatform.close()
    await backend.close()
  })

  const getAccountSid = () => backend.testData.acme.account
  const send = (method: 'GET' | 'POST', path: string, body?: unknown) =>
    createApiClient(backend.app, backend.testData.keys.acme)(method, `/Accounts/${getAccountSid()}${path}`, body)

  it('lists the other calls if one is malformed', async () => {
    const storeCall = async (call_sid: string, fields: Record<string, string>) => {
      const key = `call:${getAccountSid()}:${call_sid}`
      await redis.hset(key, { callSid: call_sid, ...fields })
      await redis.zadd('active-call-sids', 1, key)
    }
    await storeCall('good', { duration: '7', sipStatus: '200' })
    await storeCall('odd', { duration: 'undefined', sipStatus: '', from: '' })
    const { status, body } = await send('GET', '/Calls')
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { call_sid: 'good', account_sid: getAccountSid(), duration: 7, sip_status: 200 },
        { call_sid: 'odd', account_sid: getAccountSid(), from: '' },
      ],
    })
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    expect((await northClient('GET', `/ServiceProviders/${backend.testData.providers.north}/Calls`)).body).toHaveLength(
      2,
    )
  })

  it('lists the other devices if one registration is malformed', async () => {
    const expiryTime = Date.now() + 60_000
    const register = (username: string, registration: string) =>
      redis.set(`user:${username}@acme.example.com`, registration)
    await register('good', JSON.stringify({ contact: 'sip:good', protocol: 'udp', expiryTime }))
    await register('odd', '{"contact":5,"protocol":{},"sbcAddress":{},"proxy":[],"expiryTime":"soon"}')
    await register('text', JSON.stringify({ contact: 'sip:text', expiryTime: String(expiryTime) }))
    await register('endless', '{"expiryTime":1e999}')
    await register('list', '[1]')
    const { status, body } = await send('POST', '/RegisteredSipUsers')
    expect(status).toBe(200)
    const emptyRegistration = {
      contact: null,
      protocol: null,
      sbcAddress: null,
      proxy: null,
      expiryTime: 0,
      registered_status: 'inactive',
    }
    expect(body).toMatchObject([
      { name: 'endless', ...emptyRegistration },
      { name: 'good', contact: 'sip:good', protocol: 'udp', expiryTime, registered_status: 'active' },
      { name: 'list', ...emptyRegistration },
      { name: 'odd', ...emptyRegistration },
      { name: 'text', contact: 'sip:text', expiryTime, registered_status: 'active' },
    ])
  })

  it('lists no devices for a body that is not a list, and refuses invalid usernames', async () => {
    expect((await send('POST', '/RegisteredSipUsers', { jo: 1 })).body).toEqual([])
    for (const invalidBody of [['jo', 5], ['jo', null], Array<string>(1001).fill('jo')])
      expect(await send('POST', '/RegisteredSipUsers', invalidBody)).toMatchObject({ status: 400 })
  })

  it('counts 0 calls if their number is malformed', async () => {
    await redis.set(`incalls:account:${getAccountSid()}`, 'many')
    await redis.set(`outcalls:account:${getAccountSid()}`, '1e999')
    expect((await send('GET', '/CallCount')).body).toEqual({ inbound: 0, outbound: 0 })
  })

  it.each([
    ['', 'Internal Server Error'],
    ['null', 'null'],
    ['[1]', '[1]'],
    ['started', 'started'],
  ])('returns 500 if a feature server responds to a new call with %j', async (responseBody, expectedBody) => {
    await redis.sadd('c1:fs-service-url', featureServer.url)
    Object.assign(featureServer.nextResponse, { status: 201, body: responseBody })
    const callDraft = {
      from: '1',
      to: { type: 'phone', number: '2' },
      application_sid: backend.testData.acme.application,
    }
    expect(await send('POST', '/Calls', callDraft)).toMatchObject({ status: 500, body: expectedBody })
  })

  it.each<[string, object]>([
    ['conf_mute_status', { toString: 'mute' }],
    ['call_status', ['completed']],
    ['conferenceParticipantAction', { action: { toString: 'tag' } }],
  ])('receives no command with an invalid value of %s', async (field, invalidValue) => {
    await redis.hset(`call:${getAccountSid()}:current`, { callSid: 'current', serviceUrl: featureServer.url })
    expect(await send('POST', '/Calls/current', { [field]: invalidValue })).toEqual(
      expect.objectContaining({ status: 400, body: { msg: `invalid ${field}`, field } }),
    )
  })

  it('is not accessible to other accounts or with a malformed SID', async () => {
    for (const path of ['/Calls', '/Queues', '/RegisteredSipUsers', '/Calls/x']) {
      const boltClient = createApiClient(backend.app, backend.testData.keys.bolt)
      expect(await boltClient('GET', `/Accounts/${getAccountSid()}${path}`)).toMatchObject({
        status: 403,
        body: { msg: 'insufficient permissions' },
      })
      expect(await boltClient('GET', `/Accounts/x${path}`)).toMatchObject({ status: 400, body: { msg: 'Bad request' } })
    }
  })
})
