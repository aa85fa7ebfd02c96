import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Route } from '@trunkline/contract/kit/route'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import type { GatewayEntry } from '@trunkline/contract/telephony/gateways'
import type { Database } from '../db/database'
import { toColumnValue, type WithOwner, type Repository } from '../db/repository'
import type { Connection, Row } from '../db/repository-options'
import { withTransaction } from '../db/transaction'
import { mountRoute, type HandlerContext } from '../http/mount-route'
import { fullReach } from '../http/resource-routes'
import { badRequest, notFound, refusalProblem } from '../http/problem'

/** One kind of gateway: its shapes, and the rules that differ between SIP and SMPP. */
export interface GatewayKind<R extends object> {
  resource: { kind: Kind; key: string } & Record<'list' | 'read' | 'create' | 'update' | 'remove', Route>
  rows: Repository<R>
  carriers: Pick<Repository<object>, 'find' | 'lockRow'>
  row: z.ZodType
  create: z.ZodObject
  update: z.ZodObject
  /** Throws if this actor may not write gateways. */
  checkWrite?: (actor: Actor) => void
  /** Throws if the actor's account may not have another gateway. */
  checkQuota?: (actor: Actor) => Promise<void>
  /** Throws if the gateway is invalid. `others` are the other gateways of its carrier. */
  check: (gateway: GatewayEntry, otherGateways: GatewayEntry[]) => void
}

/**
 * Fields that the rules concern. The rules run only if one of these changes, so that other fields of an invalid gateway
 * from an older client can still be edited.
 */
const checkedFields = ['voip_carrier_sid', 'ipv4', 'port', 'netmask', 'inbound', 'outbound']

/** Mounts the routes of one kind of gateway. Permissions are those of the carrier. */
export const gatewayRoutes = <R extends { voip_carrier_sid: string }>(
  app: FastifyInstance,
  { db }: Pick<Database, 'db'>,
  { resource, rows, carriers, row, create, update, checkWrite, checkQuota, check }: GatewayKind<R>,
): void => {
  const { kind, key } = resource
  type Handle = (context: HandlerContext<Record<string, string>, Record<string, string>, Row>) => Promise<unknown>
  const mount = (route: Route, shapes: Parameters<typeof mountRoute>[2], handle: Handle) =>
    mountRoute(app, route, shapes, handle as never)

  const permit = (actor: Actor, action: Action, owner: WithOwner['owner']) => {
    if (!can(actor, action, kind, owner)) throw refusalProblem(findRefusal(kind, action, actor.scope))
  }

  const checkCarrier = async (actor: Actor, action: Action, voip_carrier_sid: string) => {
    const carrier = await carriers.find(fullReach, voip_carrier_sid)
    if (!carrier) throw badRequest('invalid voip_carrier_sid', 'voip_carrier_sid')
    permit(actor, action, carrier.owner)
  }

  const findGateway = async (actor: Actor, action: Action, sid: string): Promise<WithOwner<R>> => {
    const stored = await rows.find(fullReach, sid)
    if (!stored) throw action === 'read' ? notFound() : badRequest(`invalid ${key}`)
    permit(actor, action, stored.owner)
    return stored
  }

  /** Checks and writes a gateway while its carrier is locked. */
  const writeChecked = (sid: string, gateway: Row, write: (tx: Connection) => Promise<void>) =>
    withTransaction(db, async (tx) => {
      const carrier = gateway.voip_carrier_sid as string
      await carriers.lockRow(carrier, tx)
      const { rows: others } = await sql<GatewayEntry>`select * from ${sql.table(rows.chain.table)}
        where voip_carrier_sid = ${carrier} and ${sql.ref(key)} <> ${sid}`.execute(tx)
      check(gateway as unknown as GatewayEntry, others)
      await write(tx)
    })

  const query = z.looseObject({
    voip_carrier_sid: z.string('missing voip_carrier_sid').min(1, 'missing voip_carrier_sid'),
  })
  mount(resource.list, { query, response: z.array(row) }, async ({ query: { voip_carrier_sid }, actor }) => {
    // Clients list the gateways of a carrier that they have just deleted, so this is not an error.
    const carrier = await carriers.find(fullReach, voip_carrier_sid!)
    if (!carrier) return []
    permit(actor, 'list', carrier.owner)
    return rows.list(fullReach, { where: [sql`t.voip_carrier_sid = ${voip_carrier_sid}`] })
  })

  mount(resource.read, { response: row, checkSids: false }, ({ params, actor }) =>
    findGateway(actor, 'read', params[key]!),
  )

  mount(resource.create, { body: create, response: createdResponse }, async ({ body, actor }) => {
    checkWrite?.(actor)
    await checkCarrier(actor, 'create', body.voip_carrier_sid as string)
    await checkQuota?.(actor)
    const sid = randomUUID()
    await writeChecked(sid, body, (tx) => rows.insert({ ...body, [key]: sid }, tx))
    return { sid }
  })

  const updateShape = update.extend({ [key]: z.never(`primary key ${key} is immutable`).optional() })
  mount(resource.update, { body: updateShape, checkSids: false }, async ({ params, body, actor }) => {
    checkWrite?.(actor)
    const current = await findGateway(actor, 'update', params[key]!)
    if (body.voip_carrier_sid && body.voip_carrier_sid !== current.voip_carrier_sid)
      await checkCarrier(actor, 'update', body.voip_carrier_sid as string)
    const applyChanges = (tx?: Connection) => rows.update(params[key]!, body, tx)
    const needsCheck = checkedFields.some(
      (field) => field in body && toColumnValue(body[field]) !== Reflect.get(current, field),
    )
    await (needsCheck ? writeChecked(params[key]!, { ...current, ...body }, applyChanges) : applyChanges())
  })

  mount(resource.remove, { checkSids: false }, async ({ params, actor }) => {
    checkWrite?.(actor)
    await findGateway(actor, 'remove', params[key]!)
    await rows.remove(params[key]!)
  })
}
