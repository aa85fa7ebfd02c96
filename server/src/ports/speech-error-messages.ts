/** Errors of speech vendors. */
export const messages = {
  denied: (vendorMessage?: string) => `The vendor refused the credential${vendorMessage ? `: ${vendorMessage}` : '.'}`,
  rateLimited: (vendorMessage?: string) =>
    `The vendor is limiting requests at the moment${vendorMessage ? `: ${vendorMessage}` : '.'}`,
  serverError: (status: number) => `The vendor has an internal error (status ${status}). Try again later.`,
  unexpectedStatus: (status: number, vendorMessage?: string) =>
    `The vendor responded with status ${status}${vendorMessage ? `: ${vendorMessage}` : '.'}`,
  timeout: 'The vendor did not respond in time. Try again later.',
  noHost: 'The host name could not be resolved.',
  refused: 'The connection failed.',
  untrusted: 'The TLS certificate of the server is not trusted.',
  forbiddenAddress: 'The address is in a private network, which this server is not allowed to reach.',
  badAddress: 'The address is not valid.',
  unreadable: 'The vendor sent an unexpected response.',
  noAudio: 'The vendor sent a response without audio.',
  tooLong: 'The response of the vendor is too large.',
  noIdentity: 'This server has no AWS credentials.',
  noRole: 'This server is not allowed to assume the role.',
  badKeyFile: 'uploaded file is not a google service key',
  noTranscript: 'failed to transcribe speech',
  ibmDenied: 'invalid api_key or region',
  nuanceDenied: 'invalid client_id or secret',
  noVoices: 'failed to list voices',
  unknownVendor: (vendor: string) => `Invalid vendor ${vendor}`,
  streamsOnly: 'This speech service has only a streaming URL, so its voices cannot be played in a browser.',
  unsupportedSynthesis: (vendor: string) => `This server cannot play voices of ${vendor}.`,
  unknown: 'The vendor could not be reached.',
} as const
