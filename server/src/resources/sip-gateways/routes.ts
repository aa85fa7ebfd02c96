import type { FastifyInstance } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import {
  sipGatewayDraftSchema,
  sipGatewaySchema,
  sipGatewayChangesSchema,
} from '@trunkline/contract/shapes/sip-gateway'
import { findGatewayError, findGatewayRefusal } from '@trunkline/contract/telephony/gateways'
import { badRequest } from '../../http/problem'
import { insufficientPrivileges } from '../../shared/refusals'
import type { Services } from '../../composition/services'
import { gatewayRoutes } from '../../shared/gateway-routes'

export const sipGatewayRoutes = (
  app: FastifyInstance,
  { store, sipGateways, voipCarriers, quotas }: Pick<Services, 'store' | 'sipGateways' | 'voipCarriers' | 'quotas'>,
  { adminCarrier, minimumNetmask }: { adminCarrier: boolean; minimumNetmask?: number },
): void =>
  gatewayRoutes(app, store.database, {
    resource: sipGateway,
    repository: sipGateways,
    carriers: voipCarriers,
    rowSchema: sipGatewaySchema,
    createBody: sipGatewayDraftSchema,
    updateBody: sipGatewayChangesSchema,
    checkWrite: ({ scope }: Actor) => {
      if (adminCarrier && scope === 'account') throw insufficientPrivileges()
    },
    checkQuota: (actor, tx) => quotas.check('sip_gateway', actor, 1, tx),
    checkGateway: (gateway, otherGateways) => {
      const refusal = findGatewayRefusal(gateway, minimumNetmask)
      if (refusal) throw badRequest(refusal.msg, refusal.field)
      const gatewayError = findGatewayError(gateway, otherGateways)
      if (gatewayError) throw badRequest(gatewayError.message, gatewayError.field)
    },
  })
