import type { FastifyInstance } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import { create, row, update } from '@trunkline/contract/shapes/sip-gateway'
import { findGatewayError, findGatewayRefusal } from '@trunkline/contract/telephony/gateways'
import { badRequest } from '../../http/problem'
import { insufficientPrivileges } from '../../shared/refusals'
import type { Services } from '../../services'
import { gatewayRoutes } from '../../shared/gateway-routes'

export const sipGatewayRoutes = (
  app: FastifyInstance,
  { store, sipGateways, voipCarriers, quotas }: Services,
  { adminCarrier, minimumNetmask }: { adminCarrier: boolean; minimumNetmask?: number },
): void =>
  gatewayRoutes(app, store.database, {
    resource: sipGateway,
    rows: sipGateways,
    carriers: voipCarriers,
    row,
    create,
    update,
    checkWrite: ({ scope }: Actor) => {
      if (adminCarrier && scope === 'account') throw insufficientPrivileges()
    },
    checkQuota: (actor) => quotas.check('sip_gateway', actor),
    check: (gateway, otherGateways) => {
      const refusal = findGatewayRefusal(gateway, minimumNetmask)
      if (refusal) throw badRequest(refusal.msg, refusal.field)
      const conflict = findGatewayError(gateway, otherGateways)
      if (conflict) throw badRequest(conflict.message, conflict.field)
    },
  })
