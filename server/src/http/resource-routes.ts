import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema, listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import type { Page } from '@trunkline/contract/kit/page'
import type { Resource } from '@trunkline/contract/kit/resource'
import type { Route } from '@trunkline/contract/kit/route'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can, fullReach, getReach } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import type { ListOptions, WithOwner, Repository } from '../db/repository'
import type { Row } from '../db/repository-options'
import { mountRoute, type HandlerContext } from './mount-route'
import { notFoundWithoutBody, notFound, refusalProblem, type Problem } from './problem'
import { logSecurityEvent, type SecurityEvent } from './security-log'

/** The parts of a resource that `resourceRoutes` needs, independent of its row type. */
interface AnyResource extends Pick<Resource<never, never, never, never, string, string>, 'kind' | 'key'> {
  list: Route
  read: Route
  create: Route
  update: Route
  remove: Route
}
type ListQuery = z.output<typeof listQuerySchema>

type MissingProblems = Partial<Record<Action, (sid: string, actor: Actor) => Problem>>

/** Selects and customises the five standard routes of a resource. */
export interface ResourceHandlers<R extends object> {
  rowSchema: z.ZodType
  createBody?: z.ZodObject
  updateBody?: z.ZodObject
  /** The routes to mount; all five by default. */
  actions?: readonly (Action & string)[]
  requiresWellFormedSids?: boolean
  /** In bytes, for records that contain lists. */
  bodyLimit?: number
  /** The response to an unknown record, if it differs from `fallback` in `findPermitted`. */
  missing?: MissingProblems
  /** Turns the query of a list into further conditions. */
  listOptions?: (query: ListQuery, actor: Actor) => ListOptions
  /** Removes what this actor may not see. */
  redact?: (row: WithOwner<R>, actor: Actor) => WithOwner<R>
  /** The owner of a new record. May throw. */
  ownerOf?: (draft: Row, actor: Actor) => Promise<Owner> | Owner
  /** Validates and stores a draft that is more than plain columns. */
  insertRow?: (draft: Row, sid: string, actor: Actor) => Promise<void>
  updateRow?: (row: WithOwner<R>, changes: Row, actor: Actor) => Promise<void>
  remove?: (row: WithOwner<R>, actor: Actor, request: FastifyRequest) => Promise<void>
  /** The security event to log after a removal. */
  removalEvent?: SecurityEvent
}

/** Where `findPermitted` finds records of a kind. */
export interface RecordSource<R extends object> {
  kind: Kind
  repository: Pick<Repository<R>, 'find'>
  missing?: MissingProblems
}

/**
 * Finds a record if the actor may act on it. Otherwise throws the refusal of the policy or, without one, 404: an actor must
 * not be able to tell a foreign record from one that does not exist.
 */
export const findPermitted = async <R extends object>(
  { kind, repository: rows, missing = {} }: RecordSource<R>,
  action: Action,
  actor: Actor,
  sid: string,
): Promise<WithOwner<R>> => {
  const fallback = () => missing[action]?.(sid, actor) ?? (action === 'remove' ? notFound() : notFoundWithoutBody())
  const row = await rows.find(fullReach, sid)
  if (!row) throw fallback()
  if (!can(actor, action, kind, row.owner)) throw refusalProblem(findRefusal(kind, action, actor.scope), fallback)
  return row
}

/** Throws unless the actor may create records under this owner, or move them there. */
export const requirePermission = (kind: Kind, action: Action, actor: Actor, owner: Owner): void => {
  if (!can(actor, action, kind, owner)) throw refusalProblem(findRefusal(kind, action, actor.scope))
}

const noOwner: Owner = { service_provider_sid: null, account_sid: null }

/** Mounts the standard routes of a resource. Tenancy, schemas, statuses and messages come from the contract. */
export const resourceRoutes = <R extends object>(
  app: FastifyInstance,
  resource: AnyResource,
  repository: Repository<R>,
  handlers: ResourceHandlers<R>,
): void => {
  const { kind, key } = resource
  const requiresWellFormedSids = handlers.requiresWellFormedSids ?? true
  const bodyLimitOption = handlers.bodyLimit ? { bodyLimit: handlers.bodyLimit } : {}
  const supports = (action: Action) => !handlers.actions || handlers.actions.includes(action)
  const source = { kind, repository, ...(handlers.missing ? { missing: handlers.missing } : {}) }
  const findOne = (action: Action, { actor, params }: HandlerContext<Record<string, string>, unknown, unknown>) =>
    findPermitted(source, action, actor, params[key]!)
  const redactRow = (row: WithOwner<R>, actor: Actor) => handlers.redact?.(row, actor) ?? row
  const redactList = (list: WithOwner<R>[] | Page<WithOwner<R>>, actor: Actor) => {
    const redactRows = (rows: WithOwner<R>[]) => rows.map((row) => redactRow(row, actor))
    return Array.isArray(list) ? redactRows(list) : { ...list, data: redactRows(list.data) }
  }
  const mount = (
    route: Route,
    schemas: Parameters<typeof mountRoute>[2],
    handler: (context: HandlerContext<Record<string, string>, never, never>) => Promise<unknown>,
  ) => mountRoute(app, route, schemas, handler as never)

  if (supports('list'))
    mount(
      resource.list,
      { query: listQuerySchema, response: listResponseSchema(handlers.rowSchema) },
      async ({ query, actor }) =>
        redactList(await listRecords(repository, kind, query, actor, handlers.listOptions), actor),
    )
  if (supports('read'))
    mount(resource.read, { response: handlers.rowSchema, requiresWellFormedSids }, async (context) =>
      redactRow(await findOne('read', context), context.actor),
    )
  if (supports('create') && handlers.createBody)
    mount(
      resource.create,
      {
        body: withIgnoredKey(handlers.createBody, key),
        response: createdResponseSchema,
        ...bodyLimitOption,
      },
      async ({ body, actor }) => {
        const draft: Row = { ...(body as Row) }
        requirePermission(kind, 'create', actor, handlers.ownerOf ? await handlers.ownerOf(draft, actor) : noOwner)
        const sid = randomUUID()
        await (handlers.insertRow ? handlers.insertRow(draft, sid, actor) : repository.insert({ ...draft, [key]: sid }))
        return { sid }
      },
    )
  if (supports('update') && handlers.updateBody)
    mount(
      resource.update,
      {
        body: withImmutableKey(handlers.updateBody, key),
        requiresWellFormedSids,
        ...bodyLimitOption,
      },
      async (context) => {
        const row = await findOne('update', context)
        const changes: Row = { ...(context.body as Row) }
        await (handlers.updateRow
          ? handlers.updateRow(row, changes, context.actor)
          : repository.update(context.params[key]!, changes))
      },
    )
  if (supports('remove'))
    mount(resource.remove, { requiresWellFormedSids }, async (context) => {
      const row = await findOne('remove', context)
      await (handlers.remove
        ? handlers.remove(row, context.actor, context.request)
        : repository.remove(context.params[key]!))
      if (handlers.removalEvent)
        logSecurityEvent(context.request, handlers.removalEvent, { target_sid: context.params[key]! })
    })
}

/** The server assigns primary keys. A key in the body is accepted and ignored. */
const withIgnoredKey = (shape: z.ZodObject, key: string) => shape.extend({ [key]: z.unknown().optional() })

/** Refuses a body that contains the primary key, with the message of the API. */
const withImmutableKey = (shape: z.ZodObject, key: string) =>
  shape.extend({ [key]: z.never(`primary key ${key} is immutable`).optional() })

/** Lists records in the actor's reach, with paging and sorting. */
export const listRecords = async <R extends object>(
  repository: Repository<R>,
  kind: Kind,
  query: ListQuery,
  actor: Actor,
  listOptions: (query: ListQuery, actor: Actor) => ListOptions = () => ({}),
): Promise<WithOwner<R>[] | Page<WithOwner<R>>> => {
  const { page, page_size, sort } = query
  return repository.list(getReach(actor, kind), { page, page_size, sort, ...listOptions(query, actor) })
}
