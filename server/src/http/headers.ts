import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { requestIdHeader } from '@trunkline/contract/kit/request-id'
import { capabilitiesHeader } from '@trunkline/contract/resources/session'
import { isApiRequest } from './authenticate'

/** The origin of the API, if it is not this server. */
const listApiOrigins = (apiBaseUrl: string) => (apiBaseUrl.startsWith('/') ? [] : [new URL(apiBaseUrl).origin])

/** The hash of the style sheet that the waveform library injects. The e2e test of the player fails when it changes. */
const waveformStyleHash = "'sha256-1o84dVxlpnOTXQQx/irYwEKPF/Gghg1HMw/aljOG0GU='"

const noOrigins = { scripts: [], frames: [], requests: [] }

/** What the card form of Stripe needs (docs.stripe.com/security/guide). `jsUrl` replaces Stripe's script in tests. */
const listStripeOrigins = (jsUrl: string | null) => {
  if (jsUrl) {
    const { origin } = new URL(jsUrl)
    return { scripts: [origin], frames: [origin], requests: [origin] }
  }
  return {
    scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    requests: ['https://api.stripe.com'],
  }
}

/** Headers that have an effect only on pages. */
const pageOnlyHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-xss-protection',
]

/** Headers that the files of the console do not need. */
const apiOnlyHeaders = ['cross-origin-resource-policy', 'referrer-policy']
const corsHeaders = ['access-control-allow-origin', 'access-control-expose-headers']

/** For an API response that is opened as a page: it may load nothing, and no site may frame it. */
const apiContentPolicy = "default-src 'none';frame-ancestors 'none'"

/** Half a year. */
const hstsSeconds = 15_552_000

type HeaderOptions = Pick<FeatureFlags, 'apiBaseUrl' | 'recordingOrigins' | 'stripePublishableKey' | 'stripeJsUrl'> & {
  publicUrl: string
}

/** The security headers of pages. Their names are in lower case. */
const composePageHeaders = ({
  apiBaseUrl,
  recordingOrigins,
  publicUrl,
  stripePublishableKey,
  stripeJsUrl,
}: HeaderOptions): Record<string, string> => {
  const stripe = stripePublishableKey ? listStripeOrigins(stripeJsUrl) : noOrigins
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripe.scripts],
        frameSrc: stripe.frames.length > 0 ? stripe.frames : ["'none'"],
        styleSrc: ["'self'", waveformStyleHash],
        imgSrc: ["'self'"],
        // A call record may refer to a recording on any server. Media elements play it; no script reads it.
        mediaSrc: ["'self'", 'blob:', 'http:', 'https:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...listApiOrigins(apiBaseUrl), ...recordingOrigins, ...stripe.requests],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Only if users reach the server by https; on plain http it would lock them out.
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: hstsSeconds, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Only Internet Explorer and Flash know these headers.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
  })
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  }
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error instanceof Error) throw error
  })
  return headers
}

const omit = (headers: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** Composes the security headers of each kind of response once: they are the same for every request. */
const composeHeaders = (options: HeaderOptions) => {
  const page = composePageHeaders(options)
  const resource = omit(page, pageOnlyHeaders)
  return {
    page,
    file: omit(resource, apiOnlyHeaders),
    api: {
      ...resource,
      [capabilitiesHeader]: '1',
      'content-security-policy': apiContentPolicy,
      'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
      expires: '0',
      'surrogate-control': 'no-store',
    },
  }
}

/** Sets strict security headers. The API allows every origin, because it uses no cookies, and forbids caching. */
export const setResponseHeaders = async (app: FastifyInstance, options: HeaderOptions): Promise<void> => {
  const headers = composeHeaders(options)
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: [
      capabilitiesHeader,
      requestIdHeader,
      'accept-ranges',
      'content-disposition',
      'content-range',
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ].join(', '),
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (isPage || !isApiRequest(request)) for (const name of corsHeaders) void reply.removeHeader(name)
    if (isPage) void reply.headers(headers.page)
    else if (isApiRequest(request)) {
      // Browsers send the origin of every request that CORS applies to. These responses are never cached.
      if (request.headers.origin === undefined) void reply.removeHeader('access-control-expose-headers')
      void reply.headers(headers.api)
    } else {
      // Connections stay open by default. Removing this header also removes Node's `keep-alive` header.
      reply.raw.removeHeader('connection')
      void reply.headers(headers.file)
    }
    done(null, payload)
  })
}
