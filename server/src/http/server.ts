import formbody from '@fastify/formbody'
import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { connectionOptions, limitConnections, type ConnectionLimits } from './connections'
import { sendMalformedUrl } from './error-handler'
import { Problem } from './problem'
import { createRequestLogger, RequestLog } from './request-log'
import { zodSchemas } from './zod-schemas'

const maxBodyBytes = 100 * 1024
/** The Call-ID of a capture has up to 255 characters, and percent-encoding triples them. */
const maxParamLength = 3 * 255

/** Paths that the log must not contain. */
const redactedPaths = ['req.headers.authorization', '*.password', '*.token', '*.access_token']

/** The query may contain a token, and the last path segment of some pages is a secret. */
const loggableUrl = (url: string) =>
  url.split('?')[0]?.replace(/((?:reset-password|confirm-email|ActivationCode)\/+)[^/]+/i, '$1[hidden]')

export interface ServerOptions {
  config: {
    connections: ConnectionLimits
    /** How many proxies to trust X-Forwarded-For from. */
    trustProxy: number
    logLevel: string
  }
  /** Standard output by default. */
  logStream?: NodeJS.WritableStream | undefined
  /** Fields that every line of the log gets when it is written, such as the IDs of the active span. */
  getLogFields?: (() => object) | undefined
}

/** Creates the Fastify server without routes. */
export const createServer = ({ config, logStream, getLogFields }: ServerOptions): FastifyInstance => {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    ...connectionOptions(config.connections),
    trustProxy: (_, hopIndex) => hopIndex < config.trustProxy,
    genReqId: () => randomUUID(),
    logController: new RequestLog(),
    childLoggerFactory: createRequestLogger,
    frameworkErrors: sendMalformedUrl,
    schemaController: zodSchemas,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      maxParamLength,
    },
    logger: {
      level: config.logLevel,
      redact: { paths: redactedPaths, censor: '[hidden]' },
      serializers: { req: ({ method, url, ip }) => ({ method, url: loggableUrl(url), ip }) },
      ...(getLogFields ? { mixin: getLogFields } : {}),
      ...(logStream ? { stream: logStream } : {}),
    },
  })
  limitConnections(app, config.connections)
  return app
}

/** Accepts JSON and form bodies. A missing or empty body is parsed as an empty object, because existing clients send it. */
export const parseBodies = async (app: FastifyInstance): Promise<void> => {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, {})
    void parse(request, text as string, done)
  })
  await app.register(formbody)
  // Refuses other types, except empty bodies and requests that end in a 404 anyway.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('*', { parseAs: 'string' }, ({ is404 }, text, done) =>
    text === '' || is404
      ? done(null, {})
      : done(new Problem(415, { msg: 'Unsupported Media Type: send application/json' })),
  )
}
