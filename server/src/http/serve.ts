import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { created, listQuery, listed } from '@trunkline/contract/kit/fields'
import type { Page } from '@trunkline/contract/kit/page'
import type { Resource } from '@trunkline/contract/kit/resource'
import type { Route } from '@trunkline/contract/kit/route'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can, reach } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { refusalOf } from '@trunkline/contract/policy/refusal'
import type { ListOptions, WithOwner, Repository, Row } from '../db/repository'
import { bind, type Asked } from './mount-route'
import { absent, notFound, refused, type Problem } from './problem'
import { logSecurityEvent, type SecurityEvent } from './security-log'

/** A resource of whatever rows: what is needed to mount its calls. */
interface AnyResource extends Pick<Resource<never, never, never, never, string, string>, 'kind' | 'key'> {
  list: Route
  read: Route
  create: Route
  update: Route
  remove: Route
}
type Query = z.output<typeof listQuery>

type Missing = Partial<Record<Action, (sid: string, actor: Actor) => Problem>>

/** What of the five calls a resource has, and what of them is its own. */
export interface Own<R extends object> {
  row: z.ZodType
  create?: z.ZodObject
  update?: z.ZodObject
  /** Of the contract's five calls, those that exist. All, unless named. */
  only?: readonly (Action & string)[]
  checkSids?: boolean
  /** Bytes of a body, where records travel with lists of theirs. */
  bodyLimit?: number
  /** How a record that is not there answers: without a body for most readers, with the phrase for the others. */
  missing?: Missing
  /** Further conditions of a list out of its query. */
  look?: (query: Query, actor: Actor) => ListOptions
  /** What of a record this actor gets to see. */
  shownTo?: (row: WithOwner<R>, actor: Actor) => WithOwner<R>
  /** The owner that a new record will have, out of the draft and of who asks. May refuse. */
  ownerOf?: (draft: Row, actor: Actor) => Promise<Owner> | Owner
  /** Checks a draft, and does the writing when plain columns are not enough. */
  add?: (draft: Row, sid: string, actor: Actor) => Promise<void>
  change?: (row: WithOwner<R>, changes: Row, actor: Actor) => Promise<void>
  remove?: (row: WithOwner<R>, actor: Actor, body: unknown) => Promise<void>
  /** The event that a removal is for the security log. */
  removalEvent?: SecurityEvent
  /** What a creation answers besides the sid. */
  answer?: (sid: string, draft: Row) => unknown
  created?: z.ZodType
}

/** What a guarded look-up needs to know of a kind. */
export interface Guarded<R extends object> {
  kind: Kind
  rows: Pick<Repository<R>, 'find'>
  missing?: Missing
}

const everything = { all: true } as const

/**
 * One record for an action, or the refusal that the contract gives for it: absent where it says nothing, because a
 * foreign record must not be told from one that does not exist.
 */
export const guarded = async <R extends object>(
  { kind, rows, missing = {} }: Guarded<R>,
  action: Action,
  actor: Actor,
  sid: string,
): Promise<WithOwner<R>> => {
  const otherwise = () => missing[action]?.(sid, actor) ?? (action === 'remove' ? notFound() : absent())
  const row = await rows.find(everything, sid)
  if (!row) throw otherwise()
  if (!can(actor, action, kind, row.owner)) throw refused(refusalOf(kind, action, actor.scope), otherwise)
  return row
}

/** Refuses a creation, or the move of a record, to an owner that the actor may not write to. */
export const permit = (kind: Kind, action: Action, actor: Actor, owner: Owner): void => {
  if (!can(actor, action, kind, owner)) throw refused(refusalOf(kind, action, actor.scope))
}

const unowned: Owner = { service_provider_sid: null, account_sid: null }

/** Mounts the calls of a resource: tenancy, shapes, statuses and words are the contract's, the rest is the caller's. */
export const serve = <R extends object>(
  app: FastifyInstance,
  resource: AnyResource,
  rows: Repository<R>,
  own: Own<R>,
): void => {
  const { kind, key } = resource
  const checkSids = own.checkSids ?? true
  const limit = own.bodyLimit ? { bodyLimit: own.bodyLimit } : {}
  const has = (action: Action) => !own.only || own.only.includes(action)
  const source = { kind, rows, ...(own.missing ? { missing: own.missing } : {}) }
  const one = (action: Action, { actor, params }: Asked<Record<string, string>, unknown, unknown>) =>
    guarded(source, action, actor, params[key]!)
  const shown = (row: WithOwner<R>, actor: Actor) => own.shownTo?.(row, actor) ?? row
  const shownList = (list: WithOwner<R>[] | Page<WithOwner<R>>, actor: Actor) => {
    const all = (many: WithOwner<R>[]) => many.map((row) => shown(row, actor))
    return Array.isArray(list) ? all(list) : { ...list, data: all(list.data) }
  }
  const mount = (
    route: Route,
    shapes: Parameters<typeof bind>[2],
    handle: (asked: Asked<Record<string, string>, never, never>) => Promise<unknown>,
  ) => bind(app, route, shapes, handle as never)

  if (has('list'))
    mount(resource.list, { query: listQuery, answer: listed(own.row) }, async ({ query, actor }) =>
      shownList(await listOf(rows, kind, query, actor, own.look), actor),
    )
  if (has('read'))
    mount(resource.read, { answer: own.row, checkSids }, async (asked) => shown(await one('read', asked), asked.actor))
  if (has('create') && own.create)
    mount(
      resource.create,
      { body: overwritten(own.create, key), answer: own.created ?? created, ...limit },
      async ({ body, actor }) => {
        const draft: Row = { ...(body as Row) }
        permit(kind, 'create', actor, own.ownerOf ? await own.ownerOf(draft, actor) : unowned)
        const sid = randomUUID()
        await (own.add ? own.add(draft, sid, actor) : rows.add({ ...draft, [key]: sid }))
        return own.answer ? own.answer(sid, draft) : { sid }
      },
    )
  if (has('update') && own.update)
    mount(resource.update, { body: keyed(own.update, key), checkSids, ...limit }, async (asked) => {
      const row = await one('update', asked)
      const changes: Row = { ...(asked.body as Row) }
      await (own.change ? own.change(row, changes, asked.actor) : rows.change(asked.params[key]!, changes))
    })
  if (has('remove'))
    mount(resource.remove, { checkSids }, async (asked) => {
      const row = await one('remove', asked)
      await (own.remove ? own.remove(row, asked.actor, asked.body) : rows.remove(asked.params[key]!))
      if (own.removalEvent) logSecurityEvent(asked.request, own.removalEvent, { target_sid: asked.params[key]! })
    })
}

/** A new record's primary key is the server's: one in the body is accepted, and written over. */
const overwritten = (shape: z.ZodObject, key: string) => shape.extend({ [key]: z.unknown().optional() })

/** A body that names its own primary key is refused with the wire's words for it. */
const keyed = (shape: z.ZodObject, key: string) =>
  shape.extend({ [key]: z.never(`primary key ${key} is immutable`).optional() })

/** A list inside the actor's reach, with the paging and sorting that every list has. */
export const listOf = async <R extends object>(
  rows: Repository<R>,
  kind: Kind,
  query: Query,
  actor: Actor,
  look: (query: Query, actor: Actor) => ListOptions = () => ({}),
): Promise<WithOwner<R>[] | Page<WithOwner<R>>> => {
  const { page, page_size, sort } = query
  return rows.list(reach(actor, kind), { page, page_size, sort, ...look(query, actor) })
}
