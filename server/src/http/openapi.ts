import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/** The page of Swagger UI needs inline styles and data URLs for images. */
const swaggerPagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

const forwardedHeaders = ['content-type', 'cache-control', 'etag', 'last-modified'] as const

/** Responds with a file of the page. */
const sendPageFile = async (description: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => {
  const { statusCode, headers, rawPayload } = await description.inject({ url: request.url, headers: request.headers })
  void reply.code(statusCode)
  for (const name of forwardedHeaders) if (headers[name] !== undefined) void reply.header(name, headers[name])
  return reply.send(rawPayload)
}

/**
 * Serves the API description, generated from the validation schemas: `/openapi.json`, and as a page at `/docs/api/`.
 * Call it before the routes are added. The description is generated at the first request for it, because few need it.
 */
export const describeApi = (app: FastifyInstance, version: string): void => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (!route.schema?.hide) routes.push(route)
  })
  let description: Promise<FastifyInstance> | undefined
  const openDescription = () =>
    (description ??= import('./api-description').then(({ createApiDescription }) =>
      createApiDescription(routes, version),
    ))
  app.addHook('onClose', async () => (await description)?.close())

  // Replaces the policy of other pages, which is set before this hook.
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/docs/api'))
      void reply.header('content-security-policy', swaggerPagePolicy)
  })

  const hidden = { schema: { hide: true } }
  app.get('/openapi.json', hidden, async () => (await openDescription()).swagger())
  app.get('/docs/api/*', hidden, async (request, reply) => sendPageFile(await openDescription(), request, reply))
  app.get('/docs/api', hidden, async (request, reply) =>
    // The page refers to its scripts by relative URLs, so it needs the trailing slash.
    /^\/+docs\/api(\?|$)/i.test(request.url)
      ? reply.redirect('/docs/api/')
      : sendPageFile(await openDescription(), request, reply),
  )
}
