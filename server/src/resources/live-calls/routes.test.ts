import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { startFeatureServer } from '../../../test/doubles/feature-server'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'
import { createRedisPlatform } from '../../adapters/live-platform/redis'

/** A database of the test run's Redis that no other test uses. Without Redis, the tests with a platform are skipped. */
const redisUrl = process.env.TEST_REDIS_URL && `${process.env.TEST_REDIS_URL}/1`

const callDraft = { from: '15551230000', to: { type: 'phone', number: '442012' } }
const speechSettings = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Standard-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
}

describe('calls in progress without a platform', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())

  it('are empty lists, and no call can be started', async () => {
    const { acme, keys } = backend.testData
    const send = (method: 'GET' | 'POST', path: string, body?: object) =>
      createApiClient(backend.app, keys.acme)(method, `/Accounts/${acme.account}${path}`, body)
    const noFeatureServer = { status: 480, body: { msg: 'no available feature servers at this time' } }
    expect(await send('POST', '/Calls', {})).toMatchObject(noFeatureServer)
    expect(await send('POST', '/Messages', {})).toMatchObject(noFeatureServer)
    for (const path of ['/Calls', '/Queues', '/Conferences'])
      expect(await send('GET', path)).toMatchObject({ status: 200, body: [] })
    expect(await send('GET', '/CallCount')).toMatchObject({ status: 200, body: { inbound: 0, outbound: 0 } })
    expect(await send('GET', '/Calls/x')).toMatchObject({ status: 404 })
  })
})

describe.skipIf(!redisUrl)('calls in progress on a platform', () => {
  let backend: Backend
  let redis: Redis
  const servers: Awaited<ReturnType<typeof startFeatureServer>>[] = []
  beforeAll(async () => {
    redis = new Redis(redisUrl!)
    await redis.flushdb()
    servers.push(await startFeatureServer(), await startFeatureServer())
    backend = await startBackend({
      externalServices: { livePlatform: createRedisPlatform({ redis: redisUrl!, cluster: 'c1' }) },
    })
    await redis.sadd('c1:fs-service-url', ...servers.map(({ url }) => url))
  })
  afterAll(async () => {
    for (const server of servers) server.stop()
    await redis.flushdb()
    redis.disconnect()
    backend.services.livePlatform.close()
    await backend.close()
  })
  beforeEach(() => {
    for (const { requests, nextResponse } of servers) {
      requests.length = 0
      Object.assign(nextResponse, { status: 201, body: '{"sid":"new","callId":"one@host"}' })
    }
  })

  const getAccountSid = (name: 'acme' | 'bolt' = 'acme') => backend.testData[name].account
  const clientOf = (actorName: ActorName) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    createApiClient(backend.app, backend.testData.keys[actorName])(method, `/Accounts/${getAccountSid()}${path}`, body)
  const listReceivedRequests = () => servers.flatMap((server) => server.requests)

  const storeCall = async (call_sid: string, overrides: Record<string, string> = {}, account_sid = getAccountSid()) => {
    const key = `call:${account_sid}:${call_sid}`
    await redis.hset(key, {
      callSid: call_sid,
      accountSid: account_sid,
      callStatus: 'in-progress',
      direction: 'inbound',
      from: '1555',
      to: '4420',
      duration: '12',
      sipStatus: '200',
      serviceUrl: servers[0]!.url,
      ...overrides,
    })
    await redis.zadd('active-call-sids', 1, key)
  }

  it('are started on the feature servers in turn, with the settings of their application', async () => {
    const { acme } = backend.testData
    for (let index = 0; index < 2; index += 1)
      expect(
        await clientOf('acme')('POST', '/Calls', { ...callDraft, application_sid: acme.application, tag: { a: 1 } }),
      ).toMatchObject({
        status: 201,
        body: { sid: 'new', callId: 'one@host' },
      })
    expect(servers.map((server) => server.requests.length)).toEqual([1, 1])
    expect(listReceivedRequests()[0]).toMatchObject({
      path: '/v1/createCall',
      body: {
        ...callDraft,
        account_sid: getAccountSid(),
        tag: { a: 1 },
        call_hook: { url: expect.any(String) as string },
      },
    })
    expect(
      await clientOf('admin')('POST', '/Calls', {
        ...callDraft,
        ...speechSettings,
        call_hook: 'https://a.example/hook',
      }),
    ).toMatchObject({
      status: 201,
    })
  })

  it.each<[object, string]>([
    [{ to: callDraft.to }, 'missing from parameter'],
    [{ from: '1' }, 'missing or invalid to property: undefined'],
    [{ from: '1', to: { type: 'user' } }, 'missing or invalid to property: {"type":"user"}'],
    [{ ...callDraft, application_sid: 'x' }, 'application_sid not found x'],
    [
      callDraft,
      'either application_sid or set of speech_synthesis_vendor, speech_synthesis_language, speech_synthesis_voice, speech_recognizer_vendor, speech_recognizer_language required',
    ],
    [{ ...callDraft, ...speechSettings }, 'either call_hook or application_sid required'],
    [
      { ...callDraft, ...speechSettings, call_hook: { method: 'POST' } },
      'call_hook must be string or an object containing a url property',
    ],
    [{ ...callDraft, ...speechSettings, call_hook: '/hook' }, 'call_hook url be an absolute url'],
    [
      { ...callDraft, ...speechSettings, call_hook: 'wss://a/', call_status_hook: 'a' },
      'call_status_hook url be an absolute url',
    ],
  ])('are not started with %j', async (body, msg) => {
    expect(await clientOf('acme')('POST', '/Calls', body)).toMatchObject({ status: 400, body: { msg } })
    expect(listReceivedRequests()).toEqual([])
  })

  it('are not started with a foreign application or by a provider', async () => {
    const { bolt } = backend.testData
    const draft = { ...callDraft, application_sid: bolt.application }
    expect((await clientOf('acme')('POST', '/Calls', draft)).status).toBe(400)
    expect((await clientOf('north')('POST', '/Calls', draft)).body).toMatchObject({
      msg: `unauthorized createCall request for account ${getAccountSid()}`,
    })
    expect(listReceivedRequests()).toEqual([])
  })

  it('return the message of a feature server that refuses them', async () => {
    for (const { nextResponse } of servers) Object.assign(nextResponse, { status: 400, body: '"no such trunk"' })
    expect(
      await clientOf('acme')('POST', '/Calls', { ...callDraft, application_sid: backend.testData.acme.application }),
    ).toMatchObject({
      status: 500,
      body: 'no such trunk',
    })
  })

  it('are listed and read by their account', async () => {
    await storeCall('c1')
    await storeCall('c2', { direction: 'outbound', callStatus: 'ringing' })
    await storeCall('b1', {}, getAccountSid('bolt'))
    await redis.zadd('active-call-sids', 2, `call:${getAccountSid()}:gone`)
    const listSids = async (query: string) =>
      ((await clientOf('acme')('GET', `/Calls?${query}`)).body as { call_sid: string }[]).map(
        ({ call_sid }) => call_sid,
      )
    expect((await listSids('')).sort()).toEqual(['c1', 'c2'])
    expect(await listSids('direction=outbound')).toEqual(['c2'])
    expect(await listSids('callStatus=in-progress&from=1555')).toEqual(['c1'])
    expect(await clientOf('north')('GET', '/Calls/c1')).toMatchObject({
      status: 200,
      body: { call_sid: 'c1', account_sid: getAccountSid(), duration: 12, sip_status: 200, call_status: 'in-progress' },
    })
    const { keys, providers } = backend.testData
    await redis.zadd('active-call-sids', 3, 'call:of:nobody')
    const listProviderCalls = (actorName: 'north' | 'south') =>
      createApiClient(backend.app, keys[actorName])('GET', `/ServiceProviders/${providers[actorName]}/Calls`)
    expect(((await listProviderCalls('north')).body as object[]).length).toBe(3)
    expect((await listProviderCalls('south')).body).toEqual([])
    expect((await clientOf('acme')('GET', '/Calls/b1')).status).toBe(404)
    expect((await clientOf('bolt')('GET', '/Calls/c1')).status).toBe(403)
    expect((await clientOf('acme')('DELETE', '/Calls/c2')).status).toBe(204)
    expect((await clientOf('acme')('DELETE', '/Calls/c2')).status).toBe(404)
  })

  it("are updated under the platform's API version", async () => {
    const v2Backend = await startBackend({
      config: { platform: { clusterId: 'c1', apiVersion: 'v2' } },
      externalServices: { livePlatform: backend.services.livePlatform },
    })
    const { acme, keys } = v2Backend.testData
    await storeCall('v1', {}, acme.account)
    await createApiClient(v2Backend.app, keys.acme)('PUT', `/Accounts/${acme.account}/Calls/v1`, {
      call_status: 'completed',
    })
    expect(listReceivedRequests()).toMatchObject([{ path: '/v2/updateCall/v1' }])
    await v2Backend.close()
  })

  it.each(['PUT', 'POST'] as const)('are updated by %s on the feature server that handles them', async (method) => {
    await storeCall('c3')
    Object.assign(servers[0]!.nextResponse, { status: 202, body: '' })
    expect(await clientOf('acme')(method, '/Calls/c3', { call_status: 'completed' })).toMatchObject({ status: 202 })
    expect(servers[0]!.requests).toEqual([{ path: '/v1/updateCall/c3', body: { call_status: 'completed' } }])
    Object.assign(servers[0]!.nextResponse, { status: 200, body: '{"status":200}' })
    expect(await clientOf('acme')(method, '/Calls/c3', { sip_request: { method: 'INFO' } })).toMatchObject({
      status: 200,
      body: { status: 200 },
    })
    for (const body of [{ call_status: 'completed' }, { call_status: 'later' }, {}])
      expect((await clientOf('acme')(method, '/Calls/none', body)).status).toBe(404)
  })

  it.each<[object, string]>([
    [{}, 'no valid options supplied to updateCall'],
    [{ mute_status: 'mute', call_status: 'completed' }, 'multiple options are not allowed in updateCall'],
    [{ call_status: 'later' }, 'invalid call_status'],
    [{ listen_status: 'x' }, 'invalid listen_status'],
    [{ tag: 'x' }, 'invalid tag'],
    [{ dtmf: {} }, 'invalid dtmf'],
    [{ conferenceParticipantAction: { action: 'dance' } }, 'invalid conferenceParticipantAction'],
  ])('are not changed by %j', async (body, msg) => {
    await storeCall('c4')
    expect(await clientOf('acme')('PUT', '/Calls/c4', body)).toMatchObject({ status: 400, body: { msg } })
    expect(listReceivedRequests()).toEqual([])
  })

  it.each<object>([
    { call_hook: 'https://a/', child_call_hook: 'https://b/' },
    { whisper: 'x', mute_status: 'mute' },
    { whisper: 'x' },
  ])('accept the combination %j', async (body) => {
    await storeCall('c5')
    expect((await clientOf('acme')('PUT', '/Calls/c5', body)).status).toBe(201)
  })

  it('share their feature servers with messages, which only the account itself may send', async () => {
    const message = { from: '1', to: '2', text: 'hello' }
    expect((await clientOf('acme')('POST', '/Messages', message)).status).toBe(201)
    expect(listReceivedRequests()[0]!.body).toMatchObject({
      ...message,
      account_sid: getAccountSid(),
      message_sid: expect.any(String) as string,
    })
    for (const [body, msg] of [
      [{ to: '2', text: 'x' }, 'missing from property'],
      [{ from: '1', text: 'x' }, 'missing to property'],
      [{ from: '1', to: '2' }, 'either text or media required in outbound message'],
    ] as const)
      expect(await clientOf('acme')('POST', '/Messages', body)).toMatchObject({ status: 400, body: { msg } })
    expect((await clientOf('admin')('POST', '/Messages', message)).body).toMatchObject({
      msg: `unauthorized createMessage request for account ${getAccountSid()}`,
    })
  })

  it('are listed in queues and conferences, and counted', async () => {
    await redis.zadd(`queue:${getAccountSid()}:support`, 1, 'a', 2, 'b')
    await redis.zadd(`queue:${getAccountSid()}:sales`, 1, 'a')
    await redis.zadd(`queue:${getAccountSid('bolt')}:secret`, 1, 'a')
    await redis.hset(`conf:${getAccountSid()}:monday`, { a: '1' })
    await redis.set(`incalls:account:${getAccountSid()}`, '3')
    const listQueues = async (search: string) => (await clientOf('acme')('GET', `/Queues${search}`)).body as unknown
    expect(await listQueues('')).toEqual([
      { name: 'sales', length: 1 },
      { name: 'support', length: 2 },
    ])
    expect(await listQueues('?search=upp')).toEqual([{ name: 'support', length: 2 }])
    expect(await listQueues('?search=sa*')).toEqual([{ name: 'sales', length: 1 }])
    expect(await listQueues('?search=[s]')).toEqual([])
    expect((await clientOf('acme')('GET', '/Conferences')).body).toEqual(['monday'])
    expect((await clientOf('acme')('GET', '/CallCount')).body).toEqual({ inbound: 3, outbound: 0 })
  })
})

describe('an unreachable platform', () => {
  it('returns 503', async () => {
    const backend = await startBackend({
      externalServices: { livePlatform: createRedisPlatform({ redis: 'redis://127.0.0.1:9', cluster: 'c' }, 300) },
    })
    const { acme, keys } = backend.testData
    const unavailable = { status: 503, body: { msg: 'The platform does not respond. Try again later.' } }
    for (const path of ['/Calls', '/Calls/x', '/RegisteredSipUsers/jo', '/Queues', '/CallCount'])
      expect(await createApiClient(backend.app, keys.acme)('GET', `/Accounts/${acme.account}${path}`)).toMatchObject(
        unavailable,
      )
    backend.services.livePlatform.close()
    await backend.close()
  })
})
