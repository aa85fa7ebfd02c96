import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { apiClient, type ApiClient } from '../../../test/speak'
import { redisCache } from '../../adapters/cache/redis'
import { synthesizeCached } from './repository'

describe('cached speech', () => {
  let backend: Backend
  let admin: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const all = '/TtsCache'
  const expectedOwner = (account: 'acme' | 'bolt') => `/Accounts/${backend.world.accounts[account]}${all}`

  beforeEach(async () => {
    const { cache } = backend.services
    await cache.clear('')
    const { acme: ownRecord, bolt } = backend.world.accounts
    for (const key of [`tts:${ownRecord}:1`, `tts:${ownRecord}:2`, `tts:${bolt}:1`, `other:${ownRecord}:1`])
      await cache.set(key, 'audio', 60)
  })

  it('is counted for the platform and for an account', async () => {
    expect(await admin('GET', all)).toMatchObject({ status: 200, body: { size: 3 } })
    expect((await acme('GET', expectedOwner('acme'))).body).toEqual({ size: 2 })
    expect((await admin('GET', expectedOwner('bolt'))).body).toEqual({ size: 1 })
  })

  it('of one account is cleared alone', async () => {
    expect(await acme('DELETE', expectedOwner('acme'))).toMatchObject({ status: 204, body: undefined })
    expect((await admin('GET', expectedOwner('acme'))).body).toEqual({ size: 0 })
    expect((await admin('GET', all)).body).toEqual({ size: 1 })
  })

  it("of a provider's accounts is counted and cleared alone", async () => {
    const { providers, accounts, keys } = backend.world
    await backend.services.cache.set(`tts:${accounts.corp}:1`, 'audio', 60)
    const north = apiClient(backend.app, keys.north)
    const path = `/ServiceProviders/${providers.north}${all}`
    expect((await north('GET', path)).body).toEqual({ size: 3 })
    expect((await admin('GET', path)).body).toEqual({ size: 3 })
    expect(await apiClient(backend.app, keys.south)('DELETE', path)).toMatchObject({ status: 403 })
    expect(await acme('DELETE', path)).toMatchObject({ status: 403 })
    expect(await north('DELETE', path)).toMatchObject({ status: 204 })
    expect((await admin('GET', path)).body).toEqual({ size: 0 })
    expect((await admin('GET', all)).body).toEqual({ size: 1 })
    expect(await admin('GET', `/ServiceProviders/${randomUUID()}${all}`)).toMatchObject({ status: 404 })
  })

  it('is cleared completely, without other keys', async () => {
    expect(await admin('DELETE', all)).toMatchObject({ status: 204, body: undefined })
    expect((await admin('GET', all)).body).toEqual({ size: 0 })
    expect(await backend.services.cache.count('')).toBe(1)
  })

  it('of an unknown account returns 404', async () => {
    const path = `/Accounts/${randomUUID()}${all}`
    expect(await admin('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await acme('GET', path)).toMatchObject({ status: 403, body: { message: 'insufficient privileges' } })
    expect(await admin('DELETE', `/Accounts/x${all}`)).toMatchObject({ status: 400, body: { msg: 'Bad request' } })
    expect(await acme('DELETE', `/Accounts/x${all}`)).toMatchObject({
      status: 400,
      body: { status: 'fail', message: 'invalid AccountsSid format' },
    })
  })
})

it('returns 503 with instructions if Redis is unreachable', async () => {
  const cache = redisCache('redis://127.0.0.1:1', 200)
  const backend = await startBackend({ outside: { cache } })
  try {
    const admin = apiClient(backend.app, backend.world.keys.admin)
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body, headers } = await admin(method, '/TtsCache')
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          msg: 'The cache cannot be reached at the moment. Check that Redis is running and that its address (REDIS_URL) is correct.',
        },
      })
      expect(headers['retry-after']).toBe('5')
    }
    expect(await admin('GET', '/ServiceProviders')).toMatchObject({ status: 200 })
    const sound = { type: 'audio/mpeg', bytes: Buffer.from('sound') }
    expect(await synthesizeCached(cache, backend.world.acme.account, 'Good day.', () => Promise.resolve(sound))).toBe(
      sound,
    )
  } finally {
    await cache.close()
    await backend.close()
  }
})
