/** The sentences about cached speech. */
export const messages = {
  /** There is no Redis in which the platform's servers keep speech. */
  notShared: 'This server has no Redis (REDIS_URL), so it sees only speech that it generated itself.',
  cleared: 'Tts Cache successfully cleaned',
  unavailable:
    'The cache cannot be reached at the moment. Check that Redis is running and that its address (REDIS_URL) is correct.',
} as const
