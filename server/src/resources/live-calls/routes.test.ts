import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { callServer } from '../../../test/doubles/call-server'
import { apiClient } from '../../../test/speak'
import type { ActorName } from '../../../test/world'
import { redisPlatform } from '../../adapters/live-platform/redis'

/** A database of the test run's Redis that no other test uses. Without Redis, the platform is not tested. */
const redisUrl = process.env.TEST_REDIS_URL && `${process.env.TEST_REDIS_URL}/1`

const say = { from: '15551230000', to: { type: 'phone', number: '442012' } }
const speech = {
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

  it('are empty, and none can be started', async () => {
    const { acme, keys } = backend.world
    const send = (method: 'GET' | 'POST', path: string, body?: object) =>
      apiClient(backend.app, keys.acme)(method, `/Accounts/${acme.account}${path}`, body)
    const none = { status: 480, body: { msg: 'no available feature servers at this time' } }
    expect(await send('POST', '/Calls', {})).toMatchObject(none)
    expect(await send('POST', '/Messages', {})).toMatchObject(none)
    for (const list of ['/Calls', '/Queues', '/Conferences'])
      expect(await send('GET', list)).toMatchObject({ status: 200, body: [] })
    expect(await send('GET', '/CallCount')).toMatchObject({ status: 200, body: { inbound: 0, outbound: 0 } })
    expect(await send('GET', '/Calls/x')).toMatchObject({ status: 404 })
  })
})

describe.skipIf(!redisUrl)('calls in progress on a platform', () => {
  let backend: Backend
  let redis: Redis
  const servers: Awaited<ReturnType<typeof callServer>>[] = []
  beforeAll(async () => {
    redis = new Redis(redisUrl!)
    await redis.flushdb()
    servers.push(await callServer(), await callServer())
    backend = await startBackend({ outside: { livePlatform: redisPlatform({ redis: redisUrl!, cluster: 'c1' }) } })
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
    for (const { requests: received, nextResponse: response } of servers) {
      received.length = 0
      Object.assign(response, { status: 201, body: '{"sid":"new","callId":"one@host"}' })
    }
  })

  const account = (name: 'acme' | 'bolt' = 'acme') => backend.world[name].account
  const as = (actorName: ActorName) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    apiClient(backend.app, backend.world.keys[actorName])(method, `/Accounts/${account()}${path}`, body)
  const notifications = () => servers.flatMap((server) => server.requests)

  const begin = async (call_sid: string, overrides: Record<string, string> = {}, expectedOwner = account()) => {
    const key = `call:${expectedOwner}:${call_sid}`
    await redis.hset(key, {
      callSid: call_sid,
      accountSid: expectedOwner,
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

  it('start on the servers in turn, with the settings of their application', async () => {
    const { acme } = backend.world
    for (let index = 0; index < 2; index += 1)
      expect(
        await as('acme')('POST', '/Calls', { ...say, application_sid: acme.application, tag: { a: 1 } }),
      ).toMatchObject({
        status: 201,
        body: { sid: 'new', callId: 'one@host' },
      })
    expect(servers.map((server) => server.requests.length)).toEqual([1, 1])
    expect(notifications()[0]).toMatchObject({
      path: '/v1/createCall',
      body: { ...say, account_sid: account(), tag: { a: 1 }, call_hook: { url: expect.any(String) as string } },
    })
    expect(
      await as('admin')('POST', '/Calls', { ...say, ...speech, call_hook: 'https://a.example/hook' }),
    ).toMatchObject({
      status: 201,
    })
  })

  it.each<[object, string]>([
    [{ to: say.to }, 'missing from parameter'],
    [{ from: '1' }, 'missing or invalid to property: undefined'],
    [{ from: '1', to: { type: 'user' } }, 'missing or invalid to property: {"type":"user"}'],
    [{ ...say, application_sid: 'x' }, 'application_sid not found x'],
    [
      say,
      'either application_sid or set of speech_synthesis_vendor, speech_synthesis_language, speech_synthesis_voice, speech_recognizer_vendor, speech_recognizer_language required',
    ],
    [{ ...say, ...speech }, 'either call_hook or application_sid required'],
    [
      { ...say, ...speech, call_hook: { method: 'POST' } },
      'call_hook must be string or an object containing a url property',
    ],
    [{ ...say, ...speech, call_hook: '/hook' }, 'call_hook url be an absolute url'],
    [{ ...say, ...speech, call_hook: 'wss://a/', call_status_hook: 'a' }, 'call_status_hook url be an absolute url'],
  ])('are not started with %j', async (body, msg) => {
    expect(await as('acme')('POST', '/Calls', body)).toMatchObject({ status: 400, body: { msg } })
    expect(notifications()).toEqual([])
  })

  it('do not start with a foreign application or for a provider', async () => {
    const { bolt } = backend.world
    const sent = { ...say, application_sid: bolt.application }
    expect((await as('acme')('POST', '/Calls', sent)).status).toBe(400)
    expect((await as('north')('POST', '/Calls', sent)).body).toMatchObject({
      msg: `unauthorized createCall request for account ${account()}`,
    })
    expect(notifications()).toEqual([])
  })

  it('refused by a server return its message', async () => {
    for (const { nextResponse: response } of servers) Object.assign(response, { status: 400, body: '"no such trunk"' })
    expect(
      await as('acme')('POST', '/Calls', { ...say, application_sid: backend.world.acme.application }),
    ).toMatchObject({
      status: 500,
      body: 'no such trunk',
    })
  })

  it('are listed and read by their account', async () => {
    await begin('c1')
    await begin('c2', { direction: 'outbound', callStatus: 'ringing' })
    await begin('b1', {}, account('bolt'))
    await redis.zadd('active-call-sids', 2, `call:${account()}:gone`)
    const sids = async (query: string) =>
      ((await as('acme')('GET', `/Calls?${query}`)).body as { call_sid: string }[]).map(({ call_sid }) => call_sid)
    expect((await sids('')).sort()).toEqual(['c1', 'c2'])
    expect(await sids('direction=outbound')).toEqual(['c2'])
    expect(await sids('callStatus=in-progress&from=1555')).toEqual(['c1'])
    expect(await as('north')('GET', '/Calls/c1')).toMatchObject({
      status: 200,
      body: { call_sid: 'c1', account_sid: account(), duration: 12, sip_status: 200, call_status: 'in-progress' },
    })
    const { keys, providers } = backend.world
    await redis.zadd('active-call-sids', 3, 'call:of:nobody')
    const below = (actorName: 'north' | 'south') =>
      apiClient(backend.app, keys[actorName])('GET', `/ServiceProviders/${providers[actorName]}/Calls`)
    expect(((await below('north')).body as object[]).length).toBe(3)
    expect((await below('south')).body).toEqual([])
    expect((await as('acme')('GET', '/Calls/b1')).status).toBe(404)
    expect((await as('bolt')('GET', '/Calls/c1')).status).toBe(403)
    expect((await as('acme')('DELETE', '/Calls/c2')).status).toBe(204)
    expect((await as('acme')('DELETE', '/Calls/c2')).status).toBe(404)
  })

  it("are updated under the platform's API version", async () => {
    const other = await startBackend({
      config: { platform: { cluster: 'c1', apiVersion: 'v2' } },
      outside: { livePlatform: backend.services.livePlatform },
    })
    const { acme, keys } = other.world
    await begin('v1', {}, acme.account)
    await apiClient(other.app, keys.acme)('PUT', `/Accounts/${acme.account}/Calls/v1`, { call_status: 'completed' })
    expect(notifications()).toMatchObject([{ path: '/v2/updateCall/v1' }])
    await other.close()
  })

  it.each(['PUT', 'POST'] as const)('are updated by %s on the server that handles them', async (method) => {
    await begin('c3')
    Object.assign(servers[0]!.nextResponse, { status: 202, body: '' })
    expect(await as('acme')(method, '/Calls/c3', { call_status: 'completed' })).toMatchObject({ status: 202 })
    expect(servers[0]!.requests).toEqual([{ path: '/v1/updateCall/c3', body: { call_status: 'completed' } }])
    Object.assign(servers[0]!.nextResponse, { status: 200, body: '{"status":200}' })
    expect(await as('acme')(method, '/Calls/c3', { sip_request: { method: 'INFO' } })).toMatchObject({
      status: 200,
      body: { status: 200 },
    })
    for (const body of [{ call_status: 'completed' }, { call_status: 'later' }, {}])
      expect((await as('acme')(method, '/Calls/none', body)).status).toBe(404)
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
    await begin('c4')
    expect(await as('acme')('PUT', '/Calls/c4', body)).toMatchObject({ status: 400, body: { msg } })
    expect(notifications()).toEqual([])
  })

  it.each<object>([
    { call_hook: 'https://a/', child_call_hook: 'https://b/' },
    { whisper: 'x', mute_status: 'mute' },
    { whisper: 'x' },
  ])('accept the combination %j', async (body) => {
    await begin('c5')
    expect((await as('acme')('PUT', '/Calls/c5', body)).status).toBe(201)
  })

  it('send messages for the own account', async () => {
    const text = { from: '1', to: '2', text: 'hello' }
    expect((await as('acme')('POST', '/Messages', text)).status).toBe(201)
    expect(notifications()[0]!.body).toMatchObject({
      ...text,
      account_sid: account(),
      message_sid: expect.any(String) as string,
    })
    for (const [body, msg] of [
      [{ to: '2', text: 'x' }, 'missing from property'],
      [{ from: '1', text: 'x' }, 'missing to property'],
      [{ from: '1', to: '2' }, 'either text or media required in outbound message'],
    ] as const)
      expect(await as('acme')('POST', '/Messages', body)).toMatchObject({ status: 400, body: { msg } })
    expect((await as('admin')('POST', '/Messages', text)).body).toMatchObject({
      msg: `unauthorized createMessage request for account ${account()}`,
    })
  })

  it('are listed in queues and conferences, and counted', async () => {
    await redis.zadd(`queue:${account()}:support`, 1, 'a', 2, 'b')
    await redis.zadd(`queue:${account()}:sales`, 1, 'a')
    await redis.zadd(`queue:${account('bolt')}:secret`, 1, 'a')
    await redis.hset(`conf:${account()}:monday`, { a: '1' })
    await redis.set(`incalls:account:${account()}`, '3')
    const queues = async (search: string) => (await as('acme')('GET', `/Queues${search}`)).body as unknown
    expect(await queues('')).toEqual([
      { name: 'sales', length: 1 },
      { name: 'support', length: 2 },
    ])
    expect(await queues('?search=upp')).toEqual([{ name: 'support', length: 2 }])
    expect(await queues('?search=sa*')).toEqual([{ name: 'sales', length: 1 }])
    expect(await queues('?search=[s]')).toEqual([])
    expect((await as('acme')('GET', '/Conferences')).body).toEqual(['monday'])
    expect((await as('acme')('GET', '/CallCount')).body).toEqual({ inbound: 3, outbound: 0 })
  })

  describe('registered devices', () => {
    const realm = 'acme.sip.example.com'
    const until = Date.now() + 60_000
    const users = (method: 'GET' | 'POST', path = '', body?: object) =>
      as('acme')(method, `/RegisteredSipUsers${path}`, body)

    it('are listed with their registration', async () => {
      await backend.services.accounts.update(account(), { sip_realm: null })
      expect(await users('GET')).toMatchObject({
        status: 400,
        body: { msg: 'account does not have sip_realm configuration' },
      })
      await backend.services.accounts.update(account(), { sip_realm: realm })
      const said = { contact: 'sip:jo@10.0.0.7', sbcAddress: '10.0.0.1', protocol: 'udp', expiryTime: until }
      await redis.set(`user:jo@${realm}`, JSON.stringify(said))
      await redis.set(`user:old@${realm}`, JSON.stringify({ ...said, expiryTime: 1 }))
      await redis.set(`user:broken@${realm}`, '{')
      await redis.set(`user:jo@elsewhere.${realm}`, JSON.stringify(said))
      expect((await users('GET')).body).toEqual([`broken@${realm}`, `jo@${realm}`, `old@${realm}`])
      const jo = {
        name: 'jo',
        contact: 'sip:jo@10.0.0.7',
        expiryTime: until,
        protocol: 'udp',
        sbcAddress: '10.0.0.1',
        allow_direct_app_calling: false,
        allow_direct_queue_calling: false,
        allow_direct_user_calling: false,
        registered_status: 'active',
        proxy: null,
      }
      expect((await users('GET', '/jo')).body).toEqual(jo)
      const several = (await users('POST', '', ['jo', 'old', 'nobody'])).body as { registered_status: string }[]
      expect(several.map(({ registered_status }) => registered_status)).toEqual(['active', 'inactive', 'inactive'])
      expect((await users('POST', '', [])).body).toHaveLength(3)
      expect((await users('POST')).body).toHaveLength(3)
    })

    it('include the call rights of their clients', async () => {
      await backend.services.clients.update(backend.world.acme.client, { username: 'jo', allow_direct_user_calling: 1 })
      expect((await users('GET', '/jo')).body).toMatchObject({ allow_direct_user_calling: true })
    })
  })
})

describe('an unreachable platform', () => {
  it('returns 503', async () => {
    const backend = await startBackend({
      outside: { livePlatform: redisPlatform({ redis: 'redis://127.0.0.1:9', cluster: 'c' }, 300) },
    })
    const { acme, keys } = backend.world
    const silent = { status: 503, body: { msg: 'The platform does not respond. Try again later.' } }
    for (const path of ['/Calls', '/Calls/x', '/RegisteredSipUsers/jo', '/Queues', '/CallCount'])
      expect(await apiClient(backend.app, keys.acme)('GET', `/Accounts/${acme.account}${path}`)).toMatchObject(silent)
    backend.services.livePlatform.close()
    await backend.close()
  })
})
