import type { FastifyInstance } from 'fastify'
import { watchSlowBodies } from './slow-bodies'

/** The number of connections, and how long the server waits for clients. */
export interface ConnectionLimits {
  max: number
  /** Seconds to receive the headers of a request. */
  headersSeconds: number
  /** Seconds that an idle connection stays open. */
  keepAliveSeconds: number
  /** The interval in which the speed of a body is measured; 0: no minimum speed. */
  bodySeconds: number
  bodyBytesPerSecond: number
}

/** The log gets at most one line per interval. */
const refusalLogIntervalMs = 60_000

/** The limits that Fastify and Node enforce. A whole request has no time limit: uploading a recording of 2 GiB takes long. */
export const connectionOptions = ({ headersSeconds, keepAliveSeconds }: ConnectionLimits) => ({
  requestTimeout: 0,
  keepAliveTimeout: keepAliveSeconds * 1000,
  http: { headersTimeout: headersSeconds * 1000 },
})

const logRefusals = (app: FastifyInstance, max: number) => {
  let refusedCount = 0
  let timer: ReturnType<typeof setInterval> | undefined
  /** Logs the refusals of an interval. After an interval without refusals, the next one is logged at once. */
  const report = () => {
    if (refusedCount === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    app.log.warn({ refused: refusedCount, max }, 'Connections were refused: MAX_CONNECTIONS was reached')
    refusedCount = 0
  }
  app.server.on('drop', () => {
    refusedCount += 1
    if (timer) return
    timer = setInterval(report, refusalLogIntervalMs).unref()
    app.log.warn({ max }, 'New connections are refused: MAX_CONNECTIONS is reached')
  })
}

/** Refuses connections over the limit, and aborts requests with slow bodies. */
export const limitConnections = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.server.maxConnections = limits.max
  logRefusals(app, limits.max)
  if (limits.bodySeconds === 0) return
  const endSlowBodies = watchSlowBodies(app.server, limits.bodySeconds * limits.bodyBytesPerSecond)
  const timer = setInterval(endSlowBodies, limits.bodySeconds * 1000)
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
}
