import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { created } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { refusalOf } from '@trunkline/contract/policy/refusal'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import { create, row, update, type SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { gatewayRefusal, type GatewayEntry } from '@trunkline/contract/telephony/gateways'
import type { Owned } from '../../db/table'
import { bind } from '../../http/bind'
import { badRequest, notFound, refused } from '../../http/problem'
import type { Services } from '../../services'

const unknownGateway = () => badRequest('invalid sip_gateway_sid')
const everything = { all: true } as const

export const sipGatewayRoutes = (
  app: FastifyInstance,
  { sipGateways, voipCarriers, quotas }: Services,
  { adminCarrier, minimumNetmask }: { adminCarrier: boolean; minimumNetmask?: number },
): void => {
  const mayProvision = (actor: Actor) => {
    if (adminCarrier && actor.scope === 'account') throw badRequest('insufficient privileges')
  }

  /** A gateway is as reachable as its carrier. */
  const checkCarrier = async (actor: Actor, action: Action, voip_carrier_sid: string) => {
    const carrier = await voipCarriers.find(everything, voip_carrier_sid)
    if (!carrier) throw badRequest('invalid voip_carrier_sid', 'voip_carrier_sid')
    if (!can(actor, action, 'sip_gateway', carrier.owner)) throw refused(refusalOf('sip_gateway', action, actor.scope))
  }

  const checkRules = (gateway: GatewayEntry) => {
    const refusal = gatewayRefusal(gateway, minimumNetmask)
    if (refusal) throw badRequest(refusal.msg, refusal.field)
  }

  const find = async (actor: Actor, action: Action, sid: string, missing: () => Error): Promise<Owned<SipGateway>> => {
    const found = await sipGateways.find(everything, sid)
    if (!found) throw missing()
    if (!can(actor, action, 'sip_gateway', found.owner)) throw refused(refusalOf('sip_gateway', action, actor.scope))
    return found
  }

  const query = z.looseObject({
    voip_carrier_sid: z.string('missing voip_carrier_sid').min(1, 'missing voip_carrier_sid'),
  })
  bind(app, sipGateway.list, { query, answer: z.array(row) }, async ({ query: { voip_carrier_sid }, actor }) => {
    await checkCarrier(actor, 'list', voip_carrier_sid)
    return await sipGateways.list(everything, {
      where: [sql`t.voip_carrier_sid = ${voip_carrier_sid}`],
    })
  })

  bind(app, sipGateway.read, { answer: row, checkSids: false }, ({ params, actor }) =>
    find(actor, 'read', params.sip_gateway_sid, notFound),
  )

  bind(app, sipGateway.create, { body: create, answer: created }, async ({ body, actor }) => {
    mayProvision(actor)
    await checkCarrier(actor, 'create', body.voip_carrier_sid!)
    checkRules(body)
    await quotas.check('sip_gateway', actor)
    const sid = randomUUID()
    await sipGateways.add({ ...body, sip_gateway_sid: sid })
    return { sid }
  })

  const shape = update.extend({ sip_gateway_sid: z.never('primary key sip_gateway_sid is immutable').optional() })
  bind(app, sipGateway.update, { body: shape, checkSids: false }, async ({ params, body, actor }) => {
    mayProvision(actor)
    const before = await find(actor, 'update', params.sip_gateway_sid, unknownGateway)
    if (body.voip_carrier_sid && body.voip_carrier_sid !== before.voip_carrier_sid)
      await checkCarrier(actor, 'update', body.voip_carrier_sid)
    checkRules({ ...before, ...body })
    await sipGateways.change(params.sip_gateway_sid, body)
  })

  bind(app, sipGateway.remove, { checkSids: false }, async ({ params, actor }) => {
    mayProvision(actor)
    await find(actor, 'remove', params.sip_gateway_sid, unknownGateway)
    await sipGateways.remove(params.sip_gateway_sid)
  })
}
