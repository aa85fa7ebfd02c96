import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { CHEAP } from '../../test/engines'
import { apiClient } from '../../test/speak'
import { hashPassword } from '../secrets/password'

describe('a server that is busy with passwords', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend()
  })
  afterAll(() => backend.close())

  it('refuses further sign-ins with 503 and Retry-After, and serves other requests', async () => {
    const anonymous = apiClient(backend.app)
    // The first three occupy the queue for seconds, so that it stays full during the test.
    const slow = { memoryCost: 65_536, timeCost: 40, parallelism: 1 }
    const hashes = Array.from({ length: 60 }, (_, index) =>
      hashPassword('a password', index < 3 ? slow : CHEAP).catch(() => 'refused'),
    )
    for (const username of ['acme', 'nobody'])
      expect(await anonymous('POST', '/login', { username, password: 'wrong' })).toMatchObject({
        status: 503,
        body: { msg: 'The server is busy. Try again in a few seconds.' },
        headers: { 'retry-after': '5' },
      })
    expect((await backend.app.inject('/healthz')).statusCode).toBe(200)
    expect(backend.log()).not.toContain('request failed')
    const results = await Promise.all(hashes)
    expect(results).toContain('refused')
    expect(await anonymous('POST', '/login', { username: 'nobody', password: 'wrong' })).toMatchObject({ status: 403 })
  })
})
