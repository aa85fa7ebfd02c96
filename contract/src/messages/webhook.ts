/** The sentences about webhooks, whatever they belong to. */
export const messages = {
  invalidUrl: 'Enter an address that begins with http://, https://, ws:// or wss://.',
} as const
