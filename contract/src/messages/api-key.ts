/** The sentences about API keys. */
export const messages = {
  added: 'API key created',
  removed: 'API key deleted',
  neverUsed: 'Never used',
} as const
