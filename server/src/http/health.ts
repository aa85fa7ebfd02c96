import type { FastifyInstance } from 'fastify'

interface Checks {
  /** Whether the database responds. */
  isHealthy: () => Promise<boolean>
  /** Each dependency by name, and whether it works. */
  readiness: () => Promise<object>
}

/** As in other 503 responses. */
const retryAfterSeconds = 5

const probeOptions = { logLevel: 'silent', schema: { hide: true } } as const

interface HealthOptions {
  version: string
  /** Absent if only the console is served. */
  checks?: Checks | undefined
  /** Whether the server has received the signal to stop, but still accepts requests. */
  isDraining?: (() => boolean) | undefined
}

/**
 * Probes for load balancers and orchestrators: `/livez` checks the process, `/readyz` also its dependencies. `/healthz` and
 * `/health` are older. While the server drains, `/readyz` fails; after that, Fastify responds with 503 to everything.
 */
export const healthRoutes = (
  app: FastifyInstance,
  { version, checks, isDraining = () => false }: HealthOptions,
): void => {
  app.get('/healthz', probeOptions, async (_, reply) => {
    const isHealthy = !checks || (await checks.isHealthy())
    if (!isHealthy) void reply.header('retry-after', retryAfterSeconds)
    return reply.code(isHealthy ? 200 : 503).send({ status: isHealthy ? 'ok' : 'unavailable', version })
  })
  app.get('/health', probeOptions, () => 'OK')
  app.get('/livez', probeOptions, (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', probeOptions, async (_, reply) => {
    const results = Object.entries(checks ? await checks.readiness() : {})
    const isReady = !isDraining() && results.every(([, hasPassed]) => hasPassed)
    void reply.code(isReady ? 200 : 503).header('cache-control', 'no-store')
    if (!isReady) void reply.header('retry-after', retryAfterSeconds)
    return reply.send({
      status: isReady ? 'ok' : isDraining() ? 'draining' : 'unavailable',
      checks: Object.fromEntries(results.map(([name, hasPassed]) => [name, hasPassed ? 'ok' : 'failed'])),
    })
  })
}
