import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { zodSchemas } from './zod-schemas'

/** Creates an app that describes `routes`: `swagger()` returns the OpenAPI document, `/docs/api/` is a page of it. */
export const createApiDescription = async (
  routes: readonly RouteOptions[],
  version: string,
): Promise<FastifyInstance> => {
  const app = fastify({ exposeHeadRoutes: false, schemaController: zodSchemas })
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
  })
  for (const { method, url, schema } of routes)
    // HEAD differs from GET only in the missing body.
    app.route({
      method: [method].flat().filter((name) => name !== 'HEAD'),
      url,
      ...(schema ? { schema } : {}),
      handler: () => undefined,
    })
  await app.ready()
  return app
}
