import { expect, it, onTestFinished } from 'vitest'
import { createRedisConnection } from './redis-connection'

it.each([
  // Nothing listens on port 1.
  ['redis://127.0.0.1:1', /ECONNREFUSED/],
  ['redis://no.such.host.invalid:6379', /getaddrinfo/],
])('says why a connection to %s fails', async (url, cause) => {
  const { run, close } = createRedisConnection(url, 'Redis does not respond.')
  onTestFinished(close)
  // The second command is sent while the driver waits before its next attempt.
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(run((redis) => redis.get('key'))).rejects.toMatchObject({
      message: 'Redis does not respond.',
      cause: { message: expect.stringMatching(cause) as string },
    })
})
