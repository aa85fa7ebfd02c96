import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { createRedisCache } from '../../adapters/cache/redis'
import { synthesizeCached } from './repository'

describe('cached speech', () => {
  let backend: Backend
  let adminClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const cachePath = '/TtsCache'
  const accountCachePath = (account: 'acme' | 'bolt') => `/Accounts/${backend.testData.accounts[account]}${cachePath}`

  beforeEach(async () => {
    const { cache } = backend.services
    await cache.clear('')
    const { acme: acmeSid, bolt: boltSid } = backend.testData.accounts
    for (const key of [`tts:${acmeSid}:1`, `tts:${acmeSid}:2`, `tts:${boltSid}:1`, `other:${acmeSid}:1`])
      await cache.set(key, 'audio', 60)
  })

  it('is counted for the platform and for an account', async () => {
    expect(await adminClient('GET', cachePath)).toMatchObject({ status: 200, body: { size: 3 } })
    expect((await acmeClient('GET', accountCachePath('acme'))).body).toEqual({ size: 2 })
    expect((await adminClient('GET', accountCachePath('bolt'))).body).toEqual({ size: 1 })
  })

  it('of one account is cleared without that of others', async () => {
    expect(await acmeClient('DELETE', accountCachePath('acme'))).toMatchObject({ status: 204, body: undefined })
    expect((await adminClient('GET', accountCachePath('acme'))).body).toEqual({ size: 0 })
    expect((await adminClient('GET', cachePath)).body).toEqual({ size: 1 })
  })

  it('of the accounts of a provider is counted and cleared without that of others', async () => {
    const { providers, accounts, keys } = backend.testData
    await backend.services.cache.set(`tts:${accounts.corp}:1`, 'audio', 60)
    const northClient = createApiClient(backend.app, keys.north)
    const path = `/ServiceProviders/${providers.north}${cachePath}`
    expect((await northClient('GET', path)).body).toEqual({ size: 3 })
    expect((await adminClient('GET', path)).body).toEqual({ size: 3 })
    expect(await createApiClient(backend.app, keys.south)('DELETE', path)).toMatchObject({ status: 403 })
    expect(await acmeClient('DELETE', path)).toMatchObject({ status: 403 })
    expect(await northClient('DELETE', path)).toMatchObject({ status: 204 })
    expect((await adminClient('GET', path)).body).toEqual({ size: 0 })
    expect((await adminClient('GET', cachePath)).body).toEqual({ size: 1 })
    expect(await adminClient('GET', `/ServiceProviders/${randomUUID()}${cachePath}`)).toMatchObject({ status: 404 })
  })

  it('is cleared completely, without other keys', async () => {
    expect(await adminClient('DELETE', cachePath)).toMatchObject({ status: 204, body: undefined })
    expect((await adminClient('GET', cachePath)).body).toEqual({ size: 0 })
    expect(await backend.services.cache.countKeys('')).toBe(1)
  })

  it('of an unknown or malformed account is not found or refused', async () => {
    const path = `/Accounts/${randomUUID()}${cachePath}`
    expect(await adminClient('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await acmeClient('GET', path)).toMatchObject({ status: 403, body: { message: 'insufficient privileges' } })
    expect(await adminClient('DELETE', `/Accounts/x${cachePath}`)).toMatchObject({
      status: 400,
      body: { msg: 'Bad request' },
    })
    expect(await acmeClient('DELETE', `/Accounts/x${cachePath}`)).toMatchObject({
      status: 400,
      body: { status: 'fail', message: 'invalid AccountsSid format' },
    })
  })
})

it('returns 503 with instructions if Redis is unreachable', async () => {
  const cache = createRedisCache('redis://127.0.0.1:1', 200)
  const backend = await startBackend({ externalServices: { cache } })
  try {
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body, headers } = await adminClient(method, '/TtsCache')
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          msg: 'The cache cannot be reached at the moment. Check that Redis is running and that its address (REDIS_URL) is correct.',
        },
      })
      expect(headers['retry-after']).toBe('5')
    }
    expect(await adminClient('GET', '/ServiceProviders')).toMatchObject({ status: 200 })
    const audio = { type: 'audio/mpeg', bytes: Buffer.from('sound') }
    expect(
      await synthesizeCached(cache, backend.testData.acme.account, 'Good day.', () => Promise.resolve(audio)),
    ).toBe(audio)
  } finally {
    await cache.close()
    await backend.close()
  }
})
