import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { isCall } from './authenticate'

/** Where the console may send requests: its own server, or the API that it stands in front of. */
const apiOrigin = (apiBaseUrl: string) => (apiBaseUrl.startsWith('/') ? [] : [new URL(apiBaseUrl).origin])

/** Strict headers on everything, any origin on the API (it has no cookies), and no copy of an answer kept anywhere. */
export const useHeaders = async (app: FastifyInstance, apiBaseUrl: string): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...apiOrigin(apiBaseUrl)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Said by whoever terminates TLS in front: on plain http it would lock people out.
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: ['content-disposition', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  })
  app.addHook('onSend', async (request, reply) => {
    if (!isCall(request)) return
    void reply.headers({
      'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
      expires: '0',
      'surrogate-control': 'no-store',
    })
  })
}
