import { defineResource } from '../kit/resource'
import type { SmppGateway, SmppGatewayChanges, SmppGatewayDraft } from '../shapes/smpp-gateway'

/** The list requires the query `voip_carrier_sid`. */
export const smppGateway = defineResource<SmppGateway, SmppGatewayDraft, SmppGatewayChanges>()({
  kind: 'smpp_gateway',
  path: '/SmppGateways',
  key: 'smpp_gateway_sid',
  noun: { singular: 'SMPP gateway', plural: 'SMPP gateways' },
  title: (row) => row.ipv4,
})
