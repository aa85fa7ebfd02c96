import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import {
  gatewayFaults,
  gatewayRefusal,
  gatewaysMissing,
  netmaskMaximum,
  type GatewayEntry,
} from '@trunkline/contract/telephony/gateways'
import {
  carries,
  outboundMissing,
  smppFaults,
  type Direction,
  type SmppEntry,
} from '@trunkline/contract/telephony/smpp'
import { badRequest } from '../../http/problem'
import type { Gateways } from './whole'

type Carrier = Partial<Pick<VoipCarrier, 'trunk_type' | 'smpp_system_id' | 'smpp_password' | 'smpp_inbound_password'>>

const checkSip = (list: GatewayEntry[], { trunk_type }: Carrier, minimumNetmask: number | undefined) => {
  const missing = gatewaysMissing(list, trunk_type)
  if (missing) throw badRequest(missing, 'sip_gateways')
  for (const { row, field, message } of gatewayFaults(list)) throw badRequest(message, `sip_gateways.${row}.${field}`)
  for (const [row, gateway] of list.entries()) {
    const refusal = gatewayRefusal(gateway, minimumNetmask)
    if (refusal) throw badRequest(refusal.msg, `sip_gateways.${row}.${refusal.field}`)
  }
}

/** The gateways of one direction, each with its place in the whole list. */
const towards = (direction: Direction, list: SmppEntry[]) =>
  list.map((gateway, row) => ({ gateway, row })).filter(({ gateway }) => carries(direction, gateway))

const checkSmpp = (list: SmppEntry[], carrier: Carrier) => {
  const missing = outboundMissing(carrier, towards('outbound', list))
  if (missing) throw badRequest(missing, 'smpp_gateways')
  for (const direction of ['outbound', 'inbound'] as const) {
    const own = towards(direction, list)
    for (const { row, field, message } of smppFaults(
      direction,
      own.map(({ gateway }) => gateway),
    ))
      throw badRequest(message, `smpp_gateways.${own[row]!.row}.${field}`)
  }
  if (towards('inbound', list).length > 0 && !carrier.smpp_inbound_password)
    throw badRequest('smpp_inbound_password is required for inbound SMPP gateways', 'smpp_inbound_password')
}

/** The rules of all gateways that a carrier is to have, asked of the lists that are given and of the carrier as it will be. */
export const checkGateways = (
  { sip_gateways, smpp_gateways }: Gateways,
  carrier: Carrier,
  minimumNetmask: number | undefined,
): void => {
  if (sip_gateways)
    checkSip(
      sip_gateways.map((row) => ({ netmask: netmaskMaximum, ...row }) as unknown as GatewayEntry),
      carrier,
      minimumNetmask,
    )
  if (smpp_gateways) checkSmpp(smpp_gateways as unknown as SmppEntry[], carrier)
}
