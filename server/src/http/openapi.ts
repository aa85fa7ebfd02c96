import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

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
    uiConfig: { docExpansion: 'none' },
    uiHooks: {
      // The page names its scripts relative to itself, so it works only below its own folder.
      onRequest: (request, reply, next) =>
        /^\/+docs(\?|$)/i.test(request.url) ? void reply.redirect('/docs/') : next(),
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
