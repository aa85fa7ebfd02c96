import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Route } from '@trunkline/contract/kit/route'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can, fullReach } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import type { GatewayEntry } from '@trunkline/contract/telephony/gateways'
import type { Database } from '../db/database'
import { toColumnValue, type WithOwner, type Repository } from '../db/repository'
import type { Connection, Row, WriteCheck } from '../db/repository-options'
import { withTransaction } from '../db/transaction'
import { mountRoute, type HandlerContext } from '../http/mount-route'
import { badRequest, notFound, refusalProblem } from '../http/problem'

/** One kind of gateway: its schemas, and the rules that differ between SIP and SMPP. */
export interface GatewayRouteOptions<R extends object> {
  resource: { kind: Kind; key: string } & Record<'list' | 'read' | 'create' | 'update' | 'remove', Route>
  repository: Repository<R>
  carriers: Pick<Repository<object>, 'find' | 'lockRow'>
  rowSchema: z.ZodType
  createBody: z.ZodObject
  updateBody: z.ZodObject
  /** Throws if this actor may not write gateways. */
  checkWrite?: (actor: Actor) => void
  /** Runs in the transaction that adds a gateway. Throws if the actor's account may not have another one. */
  checkQuota?: (actor: Actor, tx: Connection) => Promise<void>
  /** Throws if the gateway is invalid. `otherGateways` belong to the same carrier. */
  checkGateway: (gateway: GatewayEntry, otherGateways: GatewayEntry[]) => void
}

/**
 * Fields that the rules concern. The rules run only if one of these changes, so that other fields of an invalid gateway
 * from an older client can still be edited.
 */
const checkedFields = ['voip_carrier_sid', 'ipv4', 'port', 'netmask', 'inbound', 'outbound']

/** Returns functions that check an actor's permission for a gateway, or for its carrier, and throw if it is missing. */
const createGatewayChecks = <R extends object>({
  resource: { kind, key },
  repository: rows,
  carriers,
}: Pick<GatewayRouteOptions<R>, 'resource' | 'repository' | 'carriers'>) => {
  const requirePermission = (actor: Actor, action: Action, owner: WithOwner['owner']) => {
    if (!can(actor, action, kind, owner)) throw refusalProblem(findRefusal(kind, action, actor.scope))
  }

  const checkCarrier = async (actor: Actor, action: Action, voip_carrier_sid: string) => {
    const carrier = await carriers.find(fullReach, voip_carrier_sid)
    if (!carrier) throw badRequest('invalid voip_carrier_sid', 'voip_carrier_sid')
    requirePermission(actor, action, carrier.owner)
  }

  const findGateway = async (actor: Actor, action: Action, sid: string): Promise<WithOwner<R>> => {
    const stored = await rows.find(fullReach, sid)
    if (!stored) throw action === 'read' ? notFound() : badRequest(`invalid ${key}`)
    requirePermission(actor, action, stored.owner)
    return stored
  }

  return { requirePermission, checkCarrier, findGateway }
}

/** Mounts the routes of one kind of gateway. Who may do what with a gateway depends on the owner of its carrier. */
export const gatewayRoutes = <R extends { voip_carrier_sid: string }>(
  app: FastifyInstance,
  { db }: Pick<Database, 'db'>,
  {
    resource,
    repository: rows,
    carriers,
    rowSchema,
    createBody,
    updateBody,
    checkWrite,
    checkQuota,
    checkGateway,
  }: GatewayRouteOptions<R>,
): void => {
  const { key } = resource
  type RouteHandler = (context: HandlerContext<Record<string, string>, Record<string, string>, Row>) => Promise<unknown>
  const mount = (route: Route, schemas: Parameters<typeof mountRoute>[2], handler: RouteHandler) =>
    mountRoute(app, route, schemas, handler as never)

  const { requirePermission, checkCarrier, findGateway } = createGatewayChecks({ resource, repository: rows, carriers })

  /** Checks and writes a gateway while its carrier is locked. */
  const checkAndWrite = (
    sid: string,
    gateway: Row,
    write: (tx: Connection) => Promise<void>,
    checkQuotaOfActor?: WriteCheck,
  ) =>
    withTransaction(db, async (tx) => {
      const voip_carrier_sid = gateway.voip_carrier_sid as string
      await carriers.lockRow(voip_carrier_sid, tx)
      // Locks the account, so it comes before the first read: on MySQL a transaction reads the state as of its first read.
      await checkQuotaOfActor?.(tx)
      const { rows: otherGateways } = await sql<GatewayEntry>`select * from ${sql.table(rows.ownership.table)}
        where voip_carrier_sid = ${voip_carrier_sid} and ${sql.ref(key)} <> ${sid}`.execute(tx)
      checkGateway(gateway as unknown as GatewayEntry, otherGateways)
      await write(tx)
    })

  const listQuery = z.looseObject({
    voip_carrier_sid: z.string('missing voip_carrier_sid').min(1, 'missing voip_carrier_sid'),
  })
  mount(
    resource.list,
    { query: listQuery, response: z.array(rowSchema) },
    async ({ query: { voip_carrier_sid }, actor }) => {
      // Clients list the gateways of a carrier that they have just deleted, so this is not an error.
      const carrier = await carriers.find(fullReach, voip_carrier_sid!)
      if (!carrier) return []
      requirePermission(actor, 'list', carrier.owner)
      return rows.list(fullReach, { where: [sql`t.voip_carrier_sid = ${voip_carrier_sid}`] })
    },
  )

  mount(resource.read, { response: rowSchema, requiresWellFormedSids: false }, ({ params, actor }) =>
    findGateway(actor, 'read', params[key]!),
  )

  mount(resource.create, { body: createBody, response: createdResponseSchema }, async ({ body, actor }) => {
    checkWrite?.(actor)
    await checkCarrier(actor, 'create', body.voip_carrier_sid as string)
    const sid = randomUUID()
    const insert = (tx: Connection) => rows.insert({ ...body, [key]: sid }, tx)
    await checkAndWrite(sid, body, insert, async (tx) => checkQuota?.(actor, tx))
    return { sid }
  })

  const updateSchema = updateBody.extend({ [key]: z.never(`primary key ${key} is immutable`).optional() })
  mount(resource.update, { body: updateSchema, requiresWellFormedSids: false }, async ({ params, body, actor }) => {
    checkWrite?.(actor)
    const current = await findGateway(actor, 'update', params[key]!)
    if (body.voip_carrier_sid && body.voip_carrier_sid !== current.voip_carrier_sid)
      await checkCarrier(actor, 'update', body.voip_carrier_sid as string)
    const applyChanges = (tx?: Connection) => rows.update(params[key]!, body, tx)
    const needsCheck = checkedFields.some(
      (field) => field in body && toColumnValue(body[field]) !== Reflect.get(current, field),
    )
    await (needsCheck ? checkAndWrite(params[key]!, { ...current, ...body }, applyChanges) : applyChanges())
  })

  mount(resource.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    checkWrite?.(actor)
    await findGateway(actor, 'remove', params[key]!)
    await rows.remove(params[key]!)
  })
}
