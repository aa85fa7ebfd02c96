import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** The library's page draws with inline styles and pictures; its scripts come from files, as everywhere. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

/** Describes the API out of the same shapes that check it: `/openapi.json` for programs, `/docs` for people. */
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
    routePrefix: '/docs',
    theme: { title: 'Trunkline API' },
    // Without the bar on top, which holds the library's own mark and an address to change.
    uiConfig: { docExpansion: 'none', layout: 'BaseLayout' },
    uiHooks: {
      // The page names its scripts relative to itself, so it works only below its own folder.
      onRequest: (request, reply, next) =>
        /^\/+docs(\?|$)/i.test(request.url) ? void reply.redirect('/docs/') : next(),
    },
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url?.startsWith('/docs')) void reply.header('content-security-policy', pagePolicy)
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
