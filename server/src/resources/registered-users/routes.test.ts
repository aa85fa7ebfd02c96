import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { createApiClient } from '../../../test/api-client'
import { createRedisPlatform } from '../../adapters/live-platform/redis'

/** A database of the test run's Redis that no other test uses. */
const redisUrl = process.env.TEST_REDIS_URL && `${process.env.TEST_REDIS_URL}/7`

describe.skipIf(!redisUrl)('registered devices', () => {
  let backend: Backend
  let redis: Redis
  beforeAll(async () => {
    redis = new Redis(redisUrl!)
    await redis.flushdb()
    backend = await startBackend({
      externalServices: { livePlatform: createRedisPlatform({ redis: redisUrl!, cluster: 'c1' }) },
    })
  })
  afterAll(async () => {
    await redis.flushdb()
    redis.disconnect()
    backend.services.livePlatform.close()
    await backend.close()
  })

  const accountSid = () => backend.testData.acme.account
  const realm = 'acme.sip.example.com'
  const expiryTime = Date.now() + 60_000
  const requestRegisteredUsers = (method: 'GET' | 'POST', path = '', body?: object) =>
    createApiClient(backend.app, backend.testData.keys.acme)(
      method,
      `/Accounts/${accountSid()}/RegisteredSipUsers${path}`,
      body,
    )

  it('are listed with their registration', async () => {
    await backend.services.accounts.update(accountSid(), { sip_realm: null })
    expect(await requestRegisteredUsers('GET')).toMatchObject({
      status: 400,
      body: { msg: 'account does not have sip_realm configuration' },
    })
    await backend.services.accounts.update(accountSid(), { sip_realm: realm })
    const registration = { contact: 'sip:jo@10.0.0.7', sbcAddress: '10.0.0.1', protocol: 'udp', expiryTime }
    await redis.set(`user:jo@${realm}`, JSON.stringify(registration))
    await redis.set(`user:old@${realm}`, JSON.stringify({ ...registration, expiryTime: 1 }))
    await redis.set(`user:broken@${realm}`, '{')
    await redis.set(`user:jo@elsewhere.${realm}`, JSON.stringify(registration))
    expect((await requestRegisteredUsers('GET')).body).toEqual([`broken@${realm}`, `jo@${realm}`, `old@${realm}`])
    const activeRegistration = {
      name: 'jo',
      contact: 'sip:jo@10.0.0.7',
      expiryTime,
      protocol: 'udp',
      sbcAddress: '10.0.0.1',
      allow_direct_app_calling: false,
      allow_direct_queue_calling: false,
      allow_direct_user_calling: false,
      registered_status: 'active',
      proxy: null,
    }
    expect((await requestRegisteredUsers('GET', '/jo')).body).toEqual(activeRegistration)
    const registrations = (await requestRegisteredUsers('POST', '', ['jo', 'old', 'nobody'])).body as {
      registered_status: string
    }[]
    expect(registrations.map(({ registered_status }) => registered_status)).toEqual(['active', 'inactive', 'inactive'])
    expect((await requestRegisteredUsers('POST', '', [])).body).toHaveLength(3)
    expect((await requestRegisteredUsers('POST')).body).toHaveLength(3)
  })

  it('include the call permissions of their SIP clients, which valid flags of a registration override', async () => {
    const updateClient = (allow_direct_user_calling: 0 | 1) =>
      backend.services.clients.update(backend.testData.acme.client, { username: 'jo', allow_direct_user_calling })
    const register = (flags: object) =>
      redis.set(`user:jo@${realm}`, JSON.stringify({ contact: 'sip:jo@10.0.0.7', expiryTime, ...flags }))
    const readPermission = async () =>
      (await requestRegisteredUsers('GET', '/jo')).body.allow_direct_user_calling as unknown
    await updateClient(1)
    expect(await readPermission()).toBe(true)
    await register({ allow_direct_user_calling: false })
    expect(await readPermission()).toBe(false)
    for (const malformedFlag of ['no', 0, null, {}, []]) {
      await register({ allow_direct_user_calling: malformedFlag })
      expect(await readPermission()).toBe(true)
    }
    await updateClient(0)
    for (const malformedFlag of ['yes', 1, {}]) {
      await register({ allow_direct_user_calling: malformedFlag })
      expect(await readPermission()).toBe(false)
    }
    await register({ allow_direct_user_calling: true })
    expect(await readPermission()).toBe(true)
    await register({ allow_direct_user_calling: 'no', contact: 7, protocol: [], expiryTime: 'soon' })
    expect((await requestRegisteredUsers('POST', '', ['jo'])).body).toMatchObject([
      { name: 'jo', contact: null, protocol: null, expiryTime: 0, registered_status: 'inactive' },
    ])
  })
})
