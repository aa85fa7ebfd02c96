import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { useAuthentication } from './http/authenticate'
import { connectionOptions, limitConnections } from './http/connections'
import { serveConsole } from './http/console'
import { sendMalformedUrl, handleErrors } from './http/error-handler'
import { healthRoutes } from './http/health'
import { setResponseHeaders } from './http/headers'
import { describeApi } from './http/openapi'
import { Problem } from './http/problem'
import { RateLimitStore } from './http/rate-limit-store'
import { RequestLog } from './http/request-log'
import { useZodSchemas } from './http/zod-schemas'
import { influxRoutes } from './ingest/influx-routes'
import { rejectIngestRoutes } from './ingest/ingest-disabled'
import {
  writerByApiKey,
  writerByKeyHeader,
  platformWriter,
  type WriterByHeader,
  type WriterLookup,
} from './ingest/writer'
import { otlpRoutes } from './ingest/otlp-routes'
import { ingestQuota, unlimitedQuota, type IngestQuota } from './ingest/quota'
import { cachedProviderLookup } from './ingest/point-owner'
import { recordingStreamRoute, type RecordingStreamOptions } from './ingest/recording-stream'
import { recordingUploadRoutes } from './ingest/recording-upload'
import { isFromWebPage, isSocketFromWebPage } from './ingest/browser-requests'
import type { Config } from './config/config'
import type { Services } from './services'
import { mountResources } from './resources/mount'

const bodyLimit = 100 * 1024
/** The Call-ID of a capture has up to 255 characters, and percent-encoding triples them. */
const maxParamLength = 3 * 255

/** The server and its tests build the app from the same options. */
export interface AppOptions {
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
  /** Absent if only the console is served, for another API. */
  services?: Services
  /** The build output of the console. */
  consoleFolder: string
  version: string
  /** Standard output by default. */
  logStream?: NodeJS.WritableStream
}

/** Paths that the log must not contain. */
const redactedPaths = ['req.headers.authorization', '*.password', '*.token', '*.access_token']

/** The query may contain a token, and the last path segment of some pages is a secret. */
const loggableUrl = (url: string) =>
  url.split('?')[0]?.replace(/((?:reset-password|confirm-email)\/+)[^/]+/i, '$1[hidden]')

const createServer = ({ config, logStream }: AppOptions): FastifyInstance => {
  const app = fastify({
    bodyLimit,
    ...connectionOptions(config.connections),
    // Trusts X-Forwarded-For from this number of proxies.
    trustProxy: (_, hopIndex) => hopIndex < config.trustProxy,
    genReqId: () => randomUUID(),
    logController: new RequestLog(),
    frameworkErrors: sendMalformedUrl,
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
      ...(logStream ? { stream: logStream } : {}),
    },
  })
  limitConnections(app, config.connections)
  return app
}

/** Accepts JSON and form bodies. A missing or empty body is parsed as an empty object, because existing clients send it. */
const parseBodies = async (app: FastifyInstance): Promise<void> => {
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

const providerLookup = ({ accounts }: Services) =>
  cachedProviderLookup(async (sid) => (await accounts.providerOf(sid)) ?? undefined)

/** Mounts the ingest routes for call records, alerts, traces and uploaded recordings. */
const mountIngestRoutes = (
  app: FastifyInstance,
  services: Services,
  writerOf: WriterLookup,
  quota: IngestQuota,
): void => {
  const { callHistory, traceStore, recordingStore } = services
  const providerOf = providerLookup(services)
  influxRoutes(app, { history: callHistory, findWriter: writerOf, findProvider: providerOf, quota })
  otlpRoutes(app, { store: traceStore, findWriter: writerOf, findProvider: providerOf, quota })
  recordingUploadRoutes(app, { recordingStore, findWriter: writerOf, findProvider: providerOf })
}

/** Mounts the WebSocket route for streamed recordings. The configured credential may write for every account; API keys only for their own. */
const mountRecordingStream = (
  app: FastifyInstance,
  { config }: AppOptions,
  services: Services,
  writerOf: WriterByHeader,
  isRefused: RecordingStreamOptions['isRejected'] = () => false,
): void =>
  recordingStreamRoute(app, {
    isRejected: isRefused,
    recordingStore: services.recordingStore,
    findProvider: providerLookup(services),
    platformCredentials: config.recordingStream,
    maxStreams: config.recordingLimits.streamsPerKey,
    findWriter: writerOf,
  })

const noWriter: WriterByHeader = () => Promise.resolve(undefined)

/** Builds an app with only the ingest routes, for a private port. The platform's servers send no API key. */
export const buildIngest = async (options: AppOptions & { services: Services }): Promise<FastifyInstance> => {
  const app = createServer(options)
  app.addHook('onRequest', async ({ headers }) => {
    if (isFromWebPage(headers)) throw new Problem(403, { msg: 'This port does not accept requests from web pages' })
  })
  mountIngestRoutes(app, options.services, platformWriter, unlimitedQuota)
  mountRecordingStream(
    app,
    options,
    options.services,
    options.config.recordingStream ? noWriter : () => Promise.resolve({ all: true }),
    isSocketFromWebPage,
  )
  await app.ready()
  return app
}

/** Builds the whole app without listening. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { config, services } = options
  const app = createServer(options)
  handleErrors(app)
  useZodSchemas(app)
  await setResponseHeaders(app, { ...config.features, publicUrl: config.publicUrl })
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  await parseBodies(app)
  healthRoutes(app, services)
  if (services) {
    await app.register(rateLimit, { global: false, store: RateLimitStore })
    await describeApi(app, options.version)
    useAuthentication(app, { actorOf: (token) => services.actors.findByToken(token), limit: config.rateLimit })
    await app.register((scopedApp) => Promise.resolve(mountResources(scopedApp, services, config)))
    const actorOf = (token: string) => services.actors.findByToken(token)
    if (config.ingest.byKey) mountIngestRoutes(app, services, writerByApiKey(actorOf), ingestQuota(config.ingestQuotas))
    else rejectIngestRoutes(app)
    if (config.ingest.byKey || config.recordingStream)
      mountRecordingStream(app, options, services, config.ingest.byKey ? writerByKeyHeader(actorOf) : noWriter)
  }
  await serveConsole(app, options.consoleFolder, config.features)
  return app
}
