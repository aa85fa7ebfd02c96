import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { cheapPasswordCost } from '../../test/databases'
import { createApiClient } from '../../test/api-client'
import { hashPassword } from '../secrets/password'

describe('a server with a full password queue', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())

  it('refuses further sign-ins with 503 and Retry-After, and serves other requests', async () => {
    const anonymousClient = createApiClient(backend.app)
    // The first three hashes take seconds, so that the queue stays full during the test.
    const slowCost = { memoryCost: 65_536, timeCost: 40, parallelism: 1 }
    const hashes = Array.from({ length: 60 }, (_, index) =>
      hashPassword('a password', index < 3 ? slowCost : cheapPasswordCost).catch(() => 'refused'),
    )
    for (const username of ['acme', 'nobody'])
      expect(await anonymousClient('POST', '/login', { username, password: 'wrong' })).toMatchObject({
        status: 503,
        body: { msg: 'The server is busy. Try again in a few seconds.' },
        headers: { 'retry-after': '5' },
      })
    expect((await backend.app.inject('/healthz')).statusCode).toBe(200)
    expect(backend.log()).not.toContain('request failed')
    const results = await Promise.all(hashes)
    expect(results).toContain('refused')
    expect(await anonymousClient('POST', '/login', { username: 'nobody', password: 'wrong' })).toMatchObject({
      status: 403,
    })
  })
})
