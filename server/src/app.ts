import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { useAuthentication } from './http/authenticate'
import { connectionOptions, limitConnections } from './http/connections'
import { serveConsole } from './http/console'
import { sendMalformedUrl, handleErrors } from './http/errors'
import { healthRoutes } from './http/health'
import { setResponseHeaders } from './http/headers'
import { describeApi } from './http/openapi'
import { Problem } from './http/problem'
import { RateLimitStore } from './http/rate-limit-store'
import { RequestLog } from './http/request-log'
import { useZodSchemas } from './http/schema'
import { influxDoors } from './ingest/influx-routes'
import { closedDoors } from './ingest/ingest-disabled'
import { byApiKey, byKeyInHeader, byNetwork, type WriterByKey, type WriterOf } from './ingest/writer'
import { otlpDoor } from './ingest/otlp-routes'
import { ingestQuota, noQuota, type IngestQuota } from './ingest/quota'
import { remembering } from './ingest/ownership'
import { recordingStreamDoor, type StreamDoor } from './ingest/recording-stream'
import { recordingUploadDoor } from './ingest/recording-upload'
import { isFromWebPage, isSocketFromWebPage } from './ingest/browser-requests'
import type { Config } from './config/config'
import type { Services } from './services'
import { mountResources } from './resources/mount'

const bodyLimit = 100 * 1024
/** A part of a path: the Call-ID of a capture has up to 255 signs, and each may be written as three. */
const longestParam = 3 * 255

/** What the app is built from; the same for the running server and for its tests. */
export interface Parts {
  config: Pick<
    Config,
    | 'features'
    | 'publicUrl'
    | 'rateLimit'
    | 'connections'
    | 'trustProxy'
    | 'logLevel'
    | 'adminCarrier'
    | 'quotas'
    | 'minimumNetmask'
    | 'ingest'
    | 'ingestQuotas'
    | 'recordingStream'
    | 'recordingLimits'
    | 'platform'
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
const loggable = (url: string) =>
  url.split('?')[0]?.replace(/((?:reset-password|confirm-email)\/+)[^/]+/i, '$1[hidden]')

const newApp = ({ config, logTo }: Parts): FastifyInstance => {
  const app = fastify({
    bodyLimit,
    ...connectionOptions(config.connections),
    // So many proxies in front are believed when they name the client's address.
    trustProxy: (_, hop) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    logController: new RequestLog(),
    frameworkErrors: sendMalformedUrl,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      maxParamLength: longestParam,
    },
    logger: {
      level: config.logLevel,
      redact: { paths: secrets, censor: '[hidden]' },
      serializers: { req: ({ method, url, ip }) => ({ method, url: loggable(url), ip }) },
      ...(logTo ? { stream: logTo } : {}),
    },
  })
  limitConnections(app, config.connections)
  return app
}

/** JSON and form bodies. No body, or an empty one, is an empty object, as existing clients send it. */
const useBodies = async (app: FastifyInstance): Promise<void> => {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, {})
    void parse(request, text as string, done)
  })
  await app.register(formbody)
  // Whatever else is no body of ours, unless there is nothing in it, or nobody whom it could be for.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('*', { parseAs: 'string' }, ({ is404 }, text, done) =>
    text === '' || is404
      ? done(null, {})
      : done(new Problem(415, { msg: 'Unsupported Media Type: send application/json' })),
  )
}

const providersOf = ({ accounts }: Services) =>
  remembering(async (sid) => (await accounts.providerOf(sid)) ?? undefined)

/** The doors through which voice servers bring what has happened. */
const doors = (app: FastifyInstance, services: Services, writerOf: WriterOf, quota: IngestQuota): void => {
  const { callHistory, traceStore, recordingArchive } = services
  const providerOf = providersOf(services)
  influxDoors(app, { history: callHistory, writerOf, providerOf, quota })
  otlpDoor(app, { store: traceStore, writerOf, providerOf, quota })
  recordingUploadDoor(app, { archive: recordingArchive, writerOf, providerOf })
}

/** The door for what is spoken at this moment. Who knows its name and password writes for everybody; others as they may. */
const streams = (
  app: FastifyInstance,
  { config }: Parts,
  services: Services,
  writerOf: WriterByKey,
  isRefused: StreamDoor['isRefused'] = () => false,
): void =>
  recordingStreamDoor(app, {
    isRefused,
    archive: services.recordingArchive,
    providerOf: providersOf(services),
    known: config.recordingStream,
    maxStreams: config.recordingLimits.streamsPerKey,
    writerOf,
  })

const nobody: WriterByKey = () => Promise.resolve(undefined)

/** The doors alone, for a port that only the platform's own servers reach: they send no key that says who they are. */
export const buildIngest = async (parts: Parts & { services: Services }): Promise<FastifyInstance> => {
  const app = newApp(parts)
  app.addHook('onRequest', async ({ headers }) => {
    if (isFromWebPage(headers)) throw new Problem(403, { msg: 'This port takes no requests of web pages' })
  })
  doors(app, parts.services, byNetwork, noQuota)
  streams(
    app,
    parts,
    parts.services,
    parts.config.recordingStream ? nobody : () => Promise.resolve({ all: true }),
    isSocketFromWebPage,
  )
  await app.ready()
  return app
}

/** Builds the whole app without listening. */
export const buildApp = async (parts: Parts): Promise<FastifyInstance> => {
  const { config, services } = parts
  const app = newApp(parts)
  handleErrors(app)
  useZodSchemas(app)
  await setResponseHeaders(app, { ...config.features, publicUrl: config.publicUrl })
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  await useBodies(app)
  healthRoutes(app, services)
  if (services) {
    await app.register(rateLimit, { global: false, store: RateLimitStore })
    await describeApi(app, parts.version)
    useAuthentication(app, { actorOf: (token) => services.actors.findByToken(token), limit: config.rateLimit })
    await app.register((inner) => Promise.resolve(mountResources(inner, services, config)))
    const actorOf = (token: string) => services.actors.findByToken(token)
    if (config.ingest.byKey) doors(app, services, byApiKey(actorOf), ingestQuota(config.ingestQuotas))
    else closedDoors(app)
    if (config.ingest.byKey || config.recordingStream)
      streams(app, parts, services, config.ingest.byKey ? byKeyInHeader(actorOf) : nobody)
  }
  await serveConsole(app, parts.consoleFolder, config.features)
  return app
}
