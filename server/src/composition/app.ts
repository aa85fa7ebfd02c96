import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../auth/client-network'
import { useAuthentication } from '../http/authenticate'
import { serveConsole } from '../http/console'
import { handleErrors } from '../http/error-handler'
import { healthRoutes } from '../http/health'
import { setResponseHeaders } from '../http/headers'
import { describeApi } from '../http/openapi'
import { createRateLimitStore } from '../http/rate-limit-store'
import { createServer, parseBodies } from '../http/server'
import { rejectIngestRoutes } from '../ingest/ingest-disabled'
import type { Config } from '../config/config'
import type { Metrics } from '../metrics/metrics'
import type { Telemetry } from '../telemetry/telemetry'
import { createConsoleSettings } from './console-settings'
import { mountResources } from './mount-resources'
import type { Services } from './services'

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
    | 'minimumNetmask'
    | 'ingest'
    | 'ingestQuotas'
    | 'recordingStreamCredentials'
    | 'recordingLimits'
    | 'platform'
  >
  /** Absent if only the console is served, for another API. */
  services?: Services
  /** The build output of the console. */
  consoleFolder: string
  version: string
  /** Whether the server is about to stop, so that load balancers should send no more requests. */
  isDraining?: () => boolean
  /** Absent if metrics are off. */
  metrics?: Metrics | undefined
  /** Absent if no spans are recorded. */
  telemetry?: Telemetry | undefined
  /** Standard output by default. */
  logStream?: NodeJS.WritableStream
}

/** Content types to compress. An event stream would be delayed. */
const compressibleTypes = /^text\/(?!event-stream)|[/+](?:json|javascript|xml)(?:;|$)|octet-stream(?:;|$)/

/** Builds the app with all its routes. The caller starts listening. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { config, services, telemetry } = options
  const app = createServer({ ...options, getLogFields: telemetry?.getLogFields })
  telemetry?.observeRequests(app, 'main')
  options.metrics?.observeRequests(app, 'main')
  handleErrors(app)
  await setResponseHeaders(app, { ...config.features, publicUrl: config.publicUrl })
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    customTypes: compressibleTypes,
  })
  await parseBodies(app)
  healthRoutes(app, { version: options.version, checks: services, isDraining: options.isDraining })
  if (services) {
    await app.register(rateLimit, { global: false, store: createRateLimitStore(services.cache) })
    describeApi(app, options.version)
    const findActor = (token: string) => services.actors.findByToken(token)
    useAuthentication(app, { actorOf: findActor, networkOf, rateLimit: config.rateLimit })
    await app.register((scopedApp) =>
      Promise.resolve(mountResources(scopedApp, services, { ...config, version: options.version })),
    )
    if (config.ingest.acceptsApiKeys || config.recordingStreamCredentials) {
      // Imported on demand, because a server without ingest needs neither WebSockets nor Protocol Buffers.
      const { mountIngest } = await import('./ingest-routes')
      mountIngest(app, services, config, findActor)
    }
    if (!config.ingest.acceptsApiKeys) rejectIngestRoutes(app)
  }
  await serveConsole(app, options.consoleFolder, createConsoleSettings(config.features, services))
  return app
}
