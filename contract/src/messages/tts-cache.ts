export const messages = {
  /** Without Redis, the server cannot see the speech that voice servers have cached. */
  noRedis: 'This server has no Redis (REDIS_URL), so it sees only speech that it generated itself.',
  cleared: 'Tts Cache successfully cleaned',
  unavailable:
    'The cache cannot be reached at the moment. Check that Redis is running and that its address (REDIS_URL) is correct.',
} as const
