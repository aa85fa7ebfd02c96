import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** The page of Swagger UI needs inline styles and data URLs for images. */
const swaggerPagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

/** Serves the API description, generated from the validation schemas: `/openapi.json`, and as a page at `/docs/api/`. */
export const describeApi = async (app: FastifyInstance, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Trunkline API',
        version,
        description:
          'Version 1 of the administration API. Send `Authorization: Bearer <token>` with a token from `POST /v1/login` or an API key.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    theme: { title: 'Trunkline API' },
    // BaseLayout omits the top bar with the library's logo and a URL field.
    uiConfig: { docExpansion: 'none', layout: 'BaseLayout' },
    uiHooks: {
      // The page refers to its scripts by relative URLs, so it needs the trailing slash.
      onRequest: (request, reply, next) =>
        /^\/+docs\/api(\?|$)/i.test(request.url) ? void reply.redirect('/docs/api/') : next(),
    },
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/docs/api'))
      void reply.header('content-security-policy', swaggerPagePolicy)
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
