import type { FastifyInstance } from 'fastify'
import { smppGateway } from '@trunkline/contract/resources/smpp-gateway'
import {
  smppGatewayDraftSchema,
  smppGatewaySchema,
  smppGatewayChangesSchema,
} from '@trunkline/contract/shapes/smpp-gateway'
import { findSmppError } from '@trunkline/contract/telephony/smpp'
import { badRequest } from '../../http/problem'
import type { Services } from '../../composition/services'
import { gatewayRoutes } from '../../shared/gateway-routes'

export const smppGatewayRoutes = (
  app: FastifyInstance,
  { store, smppGateways, voipCarriers }: Pick<Services, 'store' | 'smppGateways' | 'voipCarriers'>,
): void =>
  gatewayRoutes(app, store.database, {
    resource: smppGateway,
    repository: smppGateways,
    carriers: voipCarriers,
    rowSchema: smppGatewaySchema,
    createBody: smppGatewayDraftSchema,
    updateBody: smppGatewayChangesSchema,
    checkGateway: (gateway, otherGateways) => {
      if (/\s/.test(gateway.ipv4)) throw badRequest('Gateway must not contain whitespace', 'ipv4')
      const gatewayError = findSmppError(gateway, otherGateways)
      if (gatewayError) throw badRequest(gatewayError.message, gatewayError.field)
    },
  })
