/** The sentences about cached speech. */
export const messages = {
  cleared: 'Tts Cache successfully cleaned',
  unavailable:
    'The cache cannot be reached at the moment. Check that Redis is running and that REDIS_URL, or what stands for it, is right.',
} as const
