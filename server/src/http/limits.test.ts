import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { apiClient } from '../../test/speak'

describe('the rate limit', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { rateLimit: { max: 3, minutes: 5 } } })
  })
  afterAll(() => backend.close())

  it('counts down, then refuses with a message and Retry-After', async () => {
    const acme = apiClient(backend.app, backend.world.keys.acme)
    for (const left of ['2', '1', '0']) {
      const { status, headers } = await acme('GET', '/Accounts')
      expect({ status, left: String(headers['ratelimit-remaining']) }).toEqual({ status: 200, left })
      expect(String(headers['ratelimit-limit'])).toBe('3')
    }
    const { status, body, headers } = await acme('GET', '/Accounts')
    expect({ status, body }).toEqual({ status: 429, body: 'Too many requests, please try again later.' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300)
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(Number(headers['ratelimit-remaining'])).toBe(0)
  })

  it('counts each credential separately', async () => {
    const acme = apiClient(backend.app, backend.world.keys.acme)
    expect(await acme('GET', '/Accounts')).toMatchObject({ status: 429 })
    expect(await apiClient(backend.app, backend.world.keys.bolt)('GET', '/Accounts')).toMatchObject({ status: 200 })
    expect(await apiClient(backend.app)('GET', '/PredefinedCarriers')).toMatchObject({ status: 200 })
    // An unknown token counts for its IP address; otherwise every guess would have its own limit.
    const attemptLogin = (token: string) => apiClient(backend.app, token)('GET', '/Accounts')
    expect(await attemptLogin('a')).toMatchObject({ status: 401 })
    expect(await attemptLogin('b')).toMatchObject({ status: 401 })
    expect(await attemptLogin('c')).toMatchObject({ status: 429 })
    expect(await apiClient(backend.app, backend.world.keys.north)('GET', '/Accounts')).toMatchObject({ status: 200 })
  })

  it('does not count requests outside the API', async () => {
    for (let item = 0; item < 5; item++) expect((await backend.app.inject('/healthz')).statusCode).toBe(200)
  })
})
