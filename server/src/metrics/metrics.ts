import { createServer, type Server } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRegistry, type Registry } from './registry'

const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const jobBounds = [0.01, 0.1, 1, 10, 60, 600, 3600]
const queryBounds = [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** What happens in the process itself. */
const addProcessReadings = ({ addReading }: Registry, version: string): void => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  addReading('trunkline_info', 'gauge', 'The version that runs.', () => 1, { version, node: process.version })
  addReading('process_start_time_seconds', 'gauge', 'Start of the process.', () => Date.now() / 1000 - process.uptime())
  addReading('process_cpu_seconds_total', 'counter', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  addReading('process_resident_memory_bytes', 'gauge', 'Memory of the process.', () => process.memoryUsage.rss())
  addReading('nodejs_heap_used_bytes', 'gauge', 'Memory of JavaScript values.', () => process.memoryUsage().heapUsed)
  addReading(
    'nodejs_eventloop_lag_p99_seconds',
    'gauge',
    'Delay of the event loop since the last reading, 99th percentile.',
    () => {
      const seconds = delay.percentile(99) / 1e9
      delay.reset()
      return seconds
    },
  )
}

/** The path with the names of its parameters, so that SIDs do not become labels. Files of the console share one. */
const routeOf = ({ routeOptions }: FastifyRequest): string => {
  const { url } = routeOptions
  if (url === undefined) return 'none'
  return /^\/(v1|[A-Z])|^\/(login|logout|openapi|config|health|ready|live)/.test(url) ? url : 'console'
}

/** Counts requests and their durations. Readings of the services are added once they exist. */
export const createMetrics = (version: string) => {
  const registry = createRegistry()
  addProcessReadings(registry, version)
  const observeRequest = registry.createHistogram(
    'trunkline_http_request_duration_seconds',
    'Duration of requests by route and class of the status.',
    requestBounds,
  )
  const observeStatement = registry.createHistogram(
    'trunkline_database_statement_duration_seconds',
    'Duration of statements of the database.',
    queryBounds,
  )
  const countStatementError = registry.createCounter(
    'trunkline_database_statement_errors_total',
    'Statements that the database refused.',
  )
  const countJobFailure = registry.createCounter('trunkline_job_failures_total', 'Failed runs of background jobs.')
  const observeTask = registry.createHistogram(
    'trunkline_job_duration_seconds',
    'Duration of the tasks of background jobs.',
    jobBounds,
  )
  const setSuccessTime = registry.createGauge(
    'trunkline_job_last_success_timestamp_seconds',
    'When a task of a background job succeeded last.',
  )
  const countDroppedCaptures = registry.createCounter(
    'trunkline_captures_dropped_total',
    'Captured packets that were dropped.',
  )
  let openRequests = 0
  registry.addReading(
    'trunkline_http_requests_in_progress',
    'gauge',
    'Requests without a response yet.',
    () => openRequests,
  )

  return {
    addReading: registry.addReading,
    format: registry.format,

    /** Observes the requests of an app. `listener` is its port: 'main' or 'ingest'. */
    observeRequests(app: FastifyInstance, listener: 'main' | 'ingest'): void {
      app.addHook('onRequest', (_, reply, done) => {
        openRequests += 1
        // Also for requests that are aborted.
        reply.raw.once('close', () => (openRequests -= 1))
        done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        observeRequest(reply.elapsedTime / 1000, {
          listener,
          method: request.method,
          route: routeOf(request),
          status: `${Math.floor(reply.statusCode / 100)}xx`,
        })
        done()
      })
    },

    observeStatement: (durationMs: number, hasFailed: boolean): void => {
      observeStatement(durationMs / 1000)
      if (hasFailed) countStatementError()
    },

    /** The label is not called `job`, which Prometheus uses itself. */
    countJobFailure: (task: string): void => countJobFailure({ task }),

    observeTask: (task: string, durationMs: number, hasFailed: boolean): void => {
      observeTask(durationMs / 1000, { task })
      if (!hasFailed) setSuccessTime(Date.now() / 1000, { task })
    },

    countDroppedCaptures: (reason: string, count: number): void => countDroppedCaptures({ reason }, count),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Serves the metrics on a port of their own, which needs no credential and must be reachable for Prometheus only. */
export const listenForMetrics = async (
  metrics: Pick<Metrics, 'format'>,
  port: number,
  host: string,
): Promise<Server> => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.format().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}
