import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Features } from '@trunkline/contract/feature-flags'
import { abilitiesHeader } from '@trunkline/contract/resources/session'
import { isApiRequest } from './authenticate'

/** Where the console may send requests: its own server, or the API that it stands in front of. */
const apiOrigin = (apiBaseUrl: string) => (apiBaseUrl.startsWith('/') ? [] : [new URL(apiBaseUrl).origin])

/** The sheet that the console's waveform brings along, by its content; the journey of the player tells when that changes. */
const waveformStyleHash = "'sha256-1o84dVxlpnOTXQQx/irYwEKPF/Gghg1HMw/aljOG0GU='"

/** What a browser heeds on a page only: on an answer, or on a file of a page, it is weight. */
const pageOnlyHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/** What a browser heeds on answers of the API, and what on a file of the console says nothing that is not so without it. */
const apiOnlyHeaders = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cross-origin-resource-policy',
  'referrer-policy',
]

/** Of an answer that somebody opens as if it were a page: it may load nothing, and nobody may frame it. */
const apiContentPolicy = "default-src 'none';frame-ancestors 'none'"

/** Half a year, for this host alone. */
const hstsSeconds = 15_552_000

/** Strict headers on everything, any origin on the API (it has no cookies), and no copy of an answer kept anywhere. */
export const setResponseHeaders = async (
  app: FastifyInstance,
  {
    apiBaseUrl,
    recordingOrigins,
    publicUrl,
  }: Pick<Features, 'apiBaseUrl' | 'recordingOrigins'> & { publicUrl: string },
): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", waveformStyleHash],
        imgSrc: ["'self'"],
        // the record of a call may name a recording on any server; a media element plays it, and no script reads it
        mediaSrc: ["'self'", 'blob:', 'http:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...apiOrigin(apiBaseUrl), ...recordingOrigins],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Only where people reach the server by https: on plain http it would lock them out.
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: hstsSeconds, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: [
      abilitiesHeader,
      'accept-ranges',
      'content-disposition',
      'content-range',
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ],
  })
  app.addHook('onSend', async (request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/html')) return
    for (const name of pageOnlyHeaders) void reply.removeHeader(name)
    if (!isApiRequest(request)) {
      for (const name of apiOnlyHeaders) void reply.removeHeader(name)
      // Connections stay open without a word of it; Node takes this for its `keep-alive` headers.
      reply.raw.removeHeader('connection')
      return
    }
    void reply.headers({
      [abilitiesHeader]: '1',
      'content-security-policy': apiContentPolicy,
      'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
      expires: '0',
      'surrogate-control': 'no-store',
    })
  })
}
