import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { created } from '@trunkline/contract/kit/fields'
import type { Route } from '@trunkline/contract/kit/route'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { refusalOf } from '@trunkline/contract/policy/refusal'
import type { GatewayEntry } from '@trunkline/contract/telephony/gateways'
import type { Database } from '../db/database'
import { toColumnValue, type Connection, type WithOwner, type Repository, type Row } from '../db/repository'
import { withTransaction } from '../db/transaction'
import { mountRoute, type HandlerContext } from '../http/mount-route'
import { badRequest, notFound, refusalProblem } from '../http/problem'

/** A kind of gateway: what its calls look like, and what of their rules is its own. */
export interface GatewayKind<R extends object> {
  of: { kind: Kind; key: string } & Record<'list' | 'read' | 'create' | 'update' | 'remove', Route>
  rows: Repository<R>
  carriers: Pick<Repository<object>, 'find' | 'lockRow'>
  row: z.ZodType
  create: z.ZodObject
  update: z.ZodObject
  /** Refuses a writer who may not write any gateway. */
  mayWrite?: (actor: Actor) => void
  /** Refuses one more gateway. */
  mayAdd?: (actor: Actor) => Promise<void>
  /** Throws what is wrong with a gateway as it will be, among the others of its carrier. */
  check: (gateway: GatewayEntry, others: GatewayEntry[]) => void
}

const everything = { all: true } as const

/** What the rules look at. They are asked when one of these changes, so that a gateway of an older client can be changed elsewhere. */
const ruled = ['voip_carrier_sid', 'ipv4', 'port', 'netmask', 'inbound', 'outbound']

/** Mounts the calls of a kind of gateway: a gateway is as reachable as its carrier. */
export const gatewayRoutes = <R extends { voip_carrier_sid: string }>(
  app: FastifyInstance,
  { db }: Pick<Database, 'db'>,
  { of, rows, carriers, row, create, update, mayWrite, mayAdd, check }: GatewayKind<R>,
): void => {
  const { kind, key } = of
  type Handle = (asked: HandlerContext<Record<string, string>, Record<string, string>, Row>) => Promise<unknown>
  const mount = (route: Route, shapes: Parameters<typeof mountRoute>[2], handle: Handle) =>
    mountRoute(app, route, shapes, handle as never)

  const permit = (actor: Actor, action: Action, owner: WithOwner['owner']) => {
    if (!can(actor, action, kind, owner)) throw refusalProblem(refusalOf(kind, action, actor.scope))
  }

  const checkCarrier = async (actor: Actor, action: Action, voip_carrier_sid: string) => {
    const carrier = await carriers.find(everything, voip_carrier_sid)
    if (!carrier) throw badRequest('invalid voip_carrier_sid', 'voip_carrier_sid')
    permit(actor, action, carrier.owner)
  }

  const find = async (actor: Actor, action: Action, sid: string): Promise<WithOwner<R>> => {
    const found = await rows.find(everything, sid)
    if (!found) throw action === 'read' ? notFound() : badRequest(`invalid ${key}`)
    permit(actor, action, found.owner)
    return found
  }

  /** Checks and writes a gateway while nobody else is at its carrier's. */
  const put = (sid: string, gateway: Row, write: (tx: Connection) => Promise<void>) =>
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
  mount(of.list, { query, answer: z.array(row) }, async ({ query: { voip_carrier_sid }, actor }) => {
    // Clients list the gateways of a carrier that they have just deleted.
    const carrier = await carriers.find(everything, voip_carrier_sid!)
    if (!carrier) return []
    permit(actor, 'list', carrier.owner)
    return rows.list(everything, { where: [sql`t.voip_carrier_sid = ${voip_carrier_sid}`] })
  })

  mount(of.read, { answer: row, checkSids: false }, ({ params, actor }) => find(actor, 'read', params[key]!))

  mount(of.create, { body: create, answer: created }, async ({ body, actor }) => {
    mayWrite?.(actor)
    await checkCarrier(actor, 'create', body.voip_carrier_sid as string)
    await mayAdd?.(actor)
    const sid = randomUUID()
    await put(sid, body, (tx) => rows.add({ ...body, [key]: sid }, tx))
    return { sid }
  })

  const changes = update.extend({ [key]: z.never(`primary key ${key} is immutable`).optional() })
  mount(of.update, { body: changes, checkSids: false }, async ({ params, body, actor }) => {
    mayWrite?.(actor)
    const before = await find(actor, 'update', params[key]!)
    if (body.voip_carrier_sid && body.voip_carrier_sid !== before.voip_carrier_sid)
      await checkCarrier(actor, 'update', body.voip_carrier_sid as string)
    const change = (tx?: Connection) => rows.change(params[key]!, body, tx)
    const touched = ruled.some((field) => field in body && toColumnValue(body[field]) !== Reflect.get(before, field))
    await (touched ? put(params[key]!, { ...before, ...body }, change) : change())
  })

  mount(of.remove, { checkSids: false }, async ({ params, actor }) => {
    mayWrite?.(actor)
    await find(actor, 'remove', params[key]!)
    await rows.remove(params[key]!)
  })
}
