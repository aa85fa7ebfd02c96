import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { useAuthentication } from './http/authenticate'
import { serveConsole } from './http/console'
import { unreadableAddress, useErrors } from './http/errors'
import { useHeaders } from './http/headers'
import { describeApi } from './http/openapi'
import { Problem } from './http/problem'
import { useShapes } from './http/schema'
import type { Config } from './config'
import type { Services } from './services'
import { resources } from './resources/all'

const bodyLimit = 100 * 1024

/** What the app is built from; the same for the running server and for its tests. */
export interface Parts {
  config: Pick<
    Config,
    'features' | 'publicUrl' | 'rateLimit' | 'trustProxy' | 'logLevel' | 'adminCarrier' | 'quotas' | 'minimumNetmask'
  >
  /** Absent when only the console is served, in front of another API. */
  services?: Services
  /** The folder of the built console. */
  consoleFolder: string
  version: string
  /** Where the log goes; standard output unless given. */
  logTo?: NodeJS.WritableStream
}

/** What must never stand in a log line. */
const secrets = ['req.headers.authorization', '*.password', '*.token', '*.access_token']

/** A query may carry a token, and one page's address is a secret by itself. */
const loggable = (url: string) => url.split('?')[0]?.replace(/(reset-password\/+)[^/]+/i, '$1[hidden]')

const newApp = ({ config, logTo }: Parts): FastifyInstance =>
  fastify({
    bodyLimit,
    // So many proxies in front are believed when they name the client's address.
    trustProxy: (_, hop) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    frameworkErrors: unreadableAddress,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, caseSensitive: false },
    logger: {
      level: config.logLevel,
      redact: { paths: secrets, censor: '[hidden]' },
      serializers: { req: ({ method, url, ip }) => ({ method, url: loggable(url), ip }) },
      ...(logTo ? { stream: logTo } : {}),
    },
  })

/** JSON and form bodies. No body, or an empty one, is an empty object, as existing clients send it. */
const useBodies = async (app: FastifyInstance): Promise<void> => {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, {})
    void parse(request, text as string, done)
  })
  await app.register(formbody)
  // Whatever else is no body of ours, unless there is nothing in it.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) =>
    text === '' ? done(null, {}) : done(new Problem(415, { msg: 'Unsupported Media Type: send application/json' })),
  )
}

const health = (app: FastifyInstance, services?: Services) => {
  app.get('/healthz', { logLevel: 'silent', schema: { hide: true } }, async (_, reply) => {
    const well = !services || (await services.healthy())
    return reply.code(well ? 200 : 503).send({ status: well ? 'ok' : 'unavailable' })
  })
  app.get('/health', { logLevel: 'silent', schema: { hide: true } }, () => 'OK')
}

/** Builds the whole app without listening. */
export const buildApp = async (parts: Parts): Promise<FastifyInstance> => {
  const { config, services } = parts
  const app = newApp(parts)
  useErrors(app)
  useShapes(app)
  await useHeaders(app, config.features.apiBaseUrl)
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  await useBodies(app)
  health(app, services)
  if (services) {
    await app.register(rateLimit, { global: false })
    await describeApi(app, parts.version)
    useAuthentication(app, { actorOf: (token) => services.actors.of(token), limit: config.rateLimit })
    await app.register((inner) => Promise.resolve(resources(inner, services, config)))
  }
  await serveConsole(app, parts.consoleFolder, config.features)
  return app
}
