import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { ResponseOf, ParamsOf, Route } from '@trunkline/contract/kit/route'
import { hideSecrets } from './hidden-secrets'

/** The path prefix of all API routes. */
export const apiPrefix = '/v1'

/** The zod schemas of one route. */
export interface RouteSchemas<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  query?: Q
  body?: B
  response?: A
  /** The bodies of successful responses with another status than that of the route. */
  otherResponses?: Partial<Record<200 | 201 | 204, z.ZodType>>
  /**
   * Whether a malformed SID in the path causes a 400. False: the API specifies a 404. 'except-first': the tenant check handles
   * the first SID and has another error response.
   */
  requiresWellFormedSids?: boolean | 'except-first'
  /** In bytes; 100 KiB by default. */
  bodyLimit?: number
}

export interface HandlerContext<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** Undefined only on public routes. */
  actor: Actor
  request: FastifyRequest
  reply: FastifyReply
}

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined

const nonEmptySid = z.string().min(1)
/** A well-formed SID. */
export const strictSid = z.guid('Bad request')

const buildParamsSchema = (path: string, requiresWellFormedSids: boolean | 'except-first') => {
  const paramNames = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const isStrict = (name: string, position: number) =>
    name.endsWith('_sid') && (requiresWellFormedSids === 'except-first' ? position > 0 : requiresWellFormedSids)
  const shape = Object.fromEntries(
    paramNames.map((name, position) => [name, isStrict(name, position) ? strictSid : nonEmptySid]),
  )
  return paramNames.length > 0 ? z.object(shape) : undefined
}

/** The body of a response without content. */
export const noContent = z.null().describe('No content')

/** The bodies of successful responses by status. Those without a schema, such as recordings, are not described. */
const listResponses = (
  { status }: Route,
  { response, otherResponses }: Pick<RouteSchemas<z.ZodType, z.ZodType, z.ZodType>, 'response' | 'otherResponses'>,
) => {
  const body = response ?? (status === 204 ? noContent : undefined)
  return { ...(body ? { [status]: body } : {}), ...otherResponses }
}

/** The OpenAPI tag: the collection in the path, or one tag for all messaging routes and one for all sign-in routes. */
const tagOf = (path: string): string => {
  const collection = path.split('/')[1] ?? ''
  if (/^(messaging|outboundSMS)$/.test(collection)) return 'Messages'
  return /^[A-Z]/.test(collection) ? collection : 'Sign-in'
}

/** Mounts a route of the contract. The schemas validate the request, and remove unknown fields from the response. */
export const mountRoute = <
  Path extends string,
  R extends Route<Path>,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  app: FastifyInstance,
  route: R & Route<Path>,
  schemas: RouteSchemas<Q, B, A>,
  handleRequest: (
    context: HandlerContext<ParamsOf<Path>, Parsed<Q>, Parsed<B>>,
  ) => Promise<ResponseOf<R> | void> | ResponseOf<R> | void,
): void => {
  const params = buildParamsSchema(route.path, schemas.requiresWellFormedSids ?? true)
  const responses = listResponses(route, schemas)
  app.route({
    // Fastify would add a second route for HEAD, with validators and hooks of its own.
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: apiPrefix + route.path,
    ...(schemas.bodyLimit ? { bodyLimit: schemas.bodyLimit } : {}),
    config: { isApiRoute: true, isPublic: route.isPublic ?? false },
    schema: {
      summary: route.summary,
      tags: [tagOf(route.path)],
      ...(route.isPublic ? { security: [] } : {}),
      ...(params ? { params } : {}),
      ...(schemas.query ? { querystring: schemas.query } : {}),
      ...(schemas.body ? { body: schemas.body } : {}),
      ...(Object.keys(responses).length > 0 ? { response: responses } : {}),
    },
    handler: async (request, reply) => {
      const response = await handleRequest({
        params: request.params as ParamsOf<Path>,
        query: request.query as Parsed<Q>,
        body: request.body as Parsed<B>,
        actor: request.actor as Actor,
        request,
        reply,
      })
      if (reply.sent) return reply
      if (route.status === 204) return reply.code(204).send()
      // A handler may have set another status, as 206 for a partial response. Until then it is 200.
      return (reply.statusCode === 200 ? reply.code(route.status) : reply).send(
        request.actor?.viewOnly ? hideSecrets(response) : response,
      )
    },
  })
}
