import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { createApiClient } from '../../test/api-client'

describe('the rate limit', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { rateLimit: { max: 3, minutes: 5 }, trustProxy: 1 } })
  })
  afterAll(() => backend.close())

  it('counts down, then refuses with a message and Retry-After', async () => {
    const acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await acmeClient('GET', '/Accounts')
      expect({ status, left: String(headers['ratelimit-remaining']) }).toEqual({ status: 200, left: remaining })
      expect(String(headers['ratelimit-limit'])).toBe('3')
    }
    const { status, body, headers } = await acmeClient('GET', '/Accounts')
    expect({ status, body }).toEqual({ status: 429, body: 'Too many requests, please try again later.' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300)
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(Number(headers['ratelimit-remaining'])).toBe(0)
  })

  it('counts each credential separately', async () => {
    const acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    expect(await acmeClient('GET', '/Accounts')).toMatchObject({ status: 429 })
    expect(await createApiClient(backend.app, backend.testData.keys.bolt)('GET', '/Accounts')).toMatchObject({
      status: 200,
    })
    expect(await createApiClient(backend.app)('GET', '/PredefinedCarriers')).toMatchObject({ status: 200 })
    // An unknown token counts for its client network; otherwise every guessed token would have its own limit.
    const requestWithToken = (token: string) => createApiClient(backend.app, token)('GET', '/Accounts')
    expect(await requestWithToken('a')).toMatchObject({ status: 401 })
    expect(await requestWithToken('b')).toMatchObject({ status: 401 })
    expect(await requestWithToken('c')).toMatchObject({ status: 429 })
    expect(await createApiClient(backend.app, backend.testData.keys.north)('GET', '/Accounts')).toMatchObject({
      status: 200,
    })
  })

  it('refuses a credential over the limit without looking it up again', async () => {
    const corpClient = createApiClient(backend.app, backend.testData.keys.corp)
    for (const status of [200, 200, 200, 429]) expect(await corpClient('GET', '/Accounts')).toMatchObject({ status })
    const findByToken = vi.spyOn(backend.services.actors, 'findByToken')
    const { status, body, headers } = await corpClient('GET', '/Accounts')
    expect({ status, body }).toEqual({ status: 429, body: 'Too many requests, please try again later.' })
    expect(Number(headers['ratelimit-remaining'])).toBe(0)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(findByToken).not.toHaveBeenCalled()
    findByToken.mockRestore()
  })

  it('counts anonymous requests per client network, not per IPv6 address', async () => {
    const requestFrom = (ip: string) =>
      createApiClient(backend.app)('GET', '/PredefinedCarriers', undefined, { 'x-forwarded-for': ip })
    for (let host = 1; host <= 3; host++) expect((await requestFrom(`2001:db8:0:1::${host}`)).status).toBe(200)
    expect((await requestFrom('2001:db8:0:1::4')).status).toBe(429)
    expect((await requestFrom('2001:db8:0:2::1')).status).toBe(200)
  })

  it('does not count requests outside the API', async () => {
    for (let attempt = 0; attempt < 5; attempt++) expect((await backend.app.inject('/healthz')).statusCode).toBe(200)
  })
})
