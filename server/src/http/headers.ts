import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { capabilitiesHeader } from '@trunkline/contract/resources/session'
import { isApiRequest } from './authenticate'

/** The origin of the API, if it is not this server. */
const listApiOrigins = (apiBaseUrl: string) => (apiBaseUrl.startsWith('/') ? [] : [new URL(apiBaseUrl).origin])

/** The hash of the style sheet that the waveform library injects. The e2e test of the player fails when it changes. */
const waveformStyleHash = "'sha256-1o84dVxlpnOTXQQx/irYwEKPF/Gghg1HMw/aljOG0GU='"

/** Headers that have an effect only on pages. */
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

/** Headers that the files of the console do not need. */
const apiOnlyHeaders = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cross-origin-resource-policy',
  'referrer-policy',
]

/** For an API response that is opened as a page: it may load nothing, and no site may frame it. */
const apiContentPolicy = "default-src 'none';frame-ancestors 'none'"

/** Half a year. */
const hstsSeconds = 15_552_000

/** Sets strict security headers. The API allows every origin, because it uses no cookies, and forbids caching. */
export const setResponseHeaders = async (
  app: FastifyInstance,
  {
    apiBaseUrl,
    recordingOrigins,
    publicUrl,
  }: Pick<FeatureFlags, 'apiBaseUrl' | 'recordingOrigins'> & { publicUrl: string },
): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", waveformStyleHash],
        imgSrc: ["'self'"],
        // A call record may refer to a recording on any server. Media elements play it; no script reads it.
        mediaSrc: ["'self'", 'blob:', 'http:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...listApiOrigins(apiBaseUrl), ...recordingOrigins],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Only if users reach the server by https; on plain http it would lock them out.
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: hstsSeconds, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: [
      capabilitiesHeader,
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
      // Connections stay open by default. Removing this header also removes Node's `keep-alive` header.
      reply.raw.removeHeader('connection')
      return
    }
    void reply.headers({
      [capabilitiesHeader]: '1',
      'content-security-policy': apiContentPolicy,
      'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
      expires: '0',
      'surrogate-control': 'no-store',
    })
  })
}
