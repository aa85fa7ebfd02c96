export const messages = {
  invalidUrl: 'Enter a URL that starts with http://, https://, ws:// or wss://.',
  test: {
    onlyHttp: 'Only http:// and https:// webhooks can be tested. Voice servers keep a WebSocket open during a call.',
    reenterPassword: 'Enter the password again. For security, a saved password is not sent to a new URL.',
    tooMany: (seconds: number) => `Too many webhook tests. Try again in ${seconds} s.`,
    failure: {
      forbidden: () =>
        'This server sends no requests to private networks, unless its operator allows it (APP_ENV_PRIVATE_TARGETS).',
      name: (host: string) => `The name ${host} could not be resolved.`,
      refused: (host: string) => `${host} refused the connection.`,
      unreachable: (host: string) => `${host} cannot be reached from this server.`,
      timeout: (_host: string, seconds: number) => `There was no complete response within ${seconds} s.`,
      closed: (host: string) => `${host} closed the connection without a complete response.`,
      expired: (host: string) => `The TLS certificate of ${host} has expired.`,
      untrusted: (host: string) =>
        `The TLS certificate of ${host} is not trusted: it is self-signed, or its issuer is unknown.`,
      otherName: (host: string) => `The TLS certificate of ${host} was issued for another name.`,
      tls: (host: string) => `A TLS connection to ${host} could not be established.`,
      notHttp: (host: string) => `${host} responded with something that is not HTTP.`,
      other: (host: string) => `The request to ${host} failed.`,
    },
    verbs: {
      notJson: (type: string | null) =>
        `Voice servers accept application/json only. This response has ${type ? `the content type ${type}` : 'no content type'}.`,
      empty: 'The response is empty: the call would have no verbs to run.',
      tooLong: (kibibytes: number) => `The response is longer than ${kibibytes} KiB, so it was not checked.`,
    },
    /** Shown by the console only. */
    valid: 'Valid verbs',
    truncated: 'The first 2 KiB are shown.',
    redirect: 'Redirects are not followed.',
    userAgentHint: (agent: string) => `Your server can recognize a test by the User-Agent ${agent}.`,
  },
} as const
