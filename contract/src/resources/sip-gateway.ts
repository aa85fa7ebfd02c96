import { defineResource } from '../kit/resource'
import type { SipGateway, SipGatewayChanges, SipGatewayDraft } from '../shapes/sip-gateway'

/** The list requires the query `voip_carrier_sid`. */
export const sipGateway = defineResource<SipGateway, SipGatewayDraft, SipGatewayChanges>()({
  kind: 'sip_gateway',
  path: '/SipGateways',
  key: 'sip_gateway_sid',
  noun: { singular: 'SIP gateway', plural: 'SIP gateways' },
  title: (row) => row.ipv4,
})
