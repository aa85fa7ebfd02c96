import type { FastifyInstance } from 'fastify'
import { smppGateway } from '@trunkline/contract/resources/smpp-gateway'
import { create, row, update } from '@trunkline/contract/shapes/smpp-gateway'
import { badRequest } from '../../http/problem'
import type { Services } from '../../services'
import { gatewayRoutes } from '../gateways/service'

export const smppGatewayRoutes = (app: FastifyInstance, { smppGateways, voipCarriers }: Services): void =>
  gatewayRoutes(app, {
    of: smppGateway,
    rows: smppGateways,
    carriers: voipCarriers,
    row,
    create,
    update,
    check: ({ ipv4 }) => {
      if (/\s/.test(String(ipv4))) throw badRequest('Gateway must not contain whitespace', 'ipv4')
    },
  })
