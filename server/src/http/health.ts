import type { FastifyInstance } from 'fastify'

interface Checks {
  /** Whether the database answers. */
  isHealthy: () => Promise<boolean>
  /** What the server needs to work, by name, and whether it has it. */
  readiness: () => Promise<object>
}

/** As other 503 answers while the database is away. */
const retryAfterSeconds = 5

const probeOptions = { logLevel: 'silent', schema: { hide: true } } as const

/**
 * Probes for load balancers and orchestrators: `/livez` tells whether the process answers, `/readyz` whether it can do
 * its work. `/healthz` and `/health` are older. A server that is stopping answers 503 to everything, by Fastify.
 */
export const healthRoutes = (app: FastifyInstance, checks?: Checks): void => {
  app.get('/healthz', probeOptions, async (_, reply) => {
    const isHealthy = !checks || (await checks.isHealthy())
    if (!isHealthy) void reply.header('retry-after', retryAfterSeconds)
    return reply.code(isHealthy ? 200 : 503).send({ status: isHealthy ? 'ok' : 'unavailable' })
  })
  app.get('/health', probeOptions, () => 'OK')
  app.get('/livez', probeOptions, (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', probeOptions, async (_, reply) => {
    const results = Object.entries(checks ? await checks.readiness() : {})
    const isReady = results.every(([, passed]) => passed)
    void reply.code(isReady ? 200 : 503).header('cache-control', 'no-store')
    if (!isReady) void reply.header('retry-after', retryAfterSeconds)
    return reply.send({
      status: isReady ? 'ok' : 'unavailable',
      checks: Object.fromEntries(results.map(([name, passed]) => [name, passed ? 'ok' : 'failed'])),
    })
  })
}
