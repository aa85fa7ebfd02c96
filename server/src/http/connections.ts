import type { FastifyInstance } from 'fastify'
import { watchBodies } from './slow-bodies'

/** How many connections the server holds at once, and how long it waits for those who use them. */
export interface ConnectionLimits {
  max: number
  /** Seconds for the head of a request. */
  headersSeconds: number
  /** Seconds that a connection is kept open between two requests. */
  keepAliveSeconds: number
  /** Seconds over which the speed of a body is measured; 0: bodies may be as slow as they like. */
  bodySeconds: number
  bodyBytesPerSecond: number
}

/** One line in the log for all connections refused in this time. */
const refusalsLoggedEveryMs = 60_000

/** What Fastify and Node check themselves. There is no limit for a whole request: a recording of 2 GiB takes its time. */
export const connectionOptions = ({ headersSeconds, keepAliveSeconds }: ConnectionLimits) => ({
  requestTimeout: 0,
  keepAliveTimeout: keepAliveSeconds * 1000,
  http: { headersTimeout: headersSeconds * 1000 },
})

const logRefusals = (app: FastifyInstance, max: number) => {
  let refused = 0
  app.server.on('drop', () => {
    refused += 1
    if (refused > 1) return
    const report = () => {
      app.log.warn({ refused, max }, 'Connections were refused: MAX_CONNECTIONS are open')
      refused = 0
    }
    setTimeout(report, refusalsLoggedEveryMs).unref()
    app.log.warn({ max }, 'New connections are refused: MAX_CONNECTIONS are open')
  })
}

/** Refuses connections over the limit, and ends requests whose bodies come too slowly. */
export const limitConnections = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.server.maxConnections = limits.max
  logRefusals(app, limits.max)
  if (limits.bodySeconds === 0) return
  const endSlowBodies = watchBodies(app.server, limits.bodySeconds * limits.bodyBytesPerSecond)
  const timer = setInterval(endSlowBodies, limits.bodySeconds * 1000)
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
}
