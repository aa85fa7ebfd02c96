import type { SipGateway, SipGatewayDraft } from '@trunkline/contract/shapes/sip-gateway'
import { isIPv4 } from '@trunkline/contract/telephony/address'
import {
  gatewayFaults,
  gatewayRefusal,
  netmaskMaximum,
  protocols,
  type GatewayEntry,
} from '@trunkline/contract/telephony/gateways'
import { messages } from '@trunkline/contract/messages/carrier'
import type { Faults } from '../../kit/form'

type Protocol = (typeof protocols)[number]

/** What a gateway's row holds. What was typed and is no number stays as typed, for the rules to refuse. */
export interface GatewayValues {
  /** Tells rows apart for as long as the form is open; of a stored gateway it is the sid. */
  key: string
  ipv4: string
  port: number | string | null
  netmask: number | string | null
  protocol: string
  is_active: number
  inbound: number
  outbound: number
  pad_crypto: number
  send_options_ping: number
}

/** What travels for one gateway, without its carrier. */
export type GatewayBody = Omit<SipGatewayDraft, 'voip_carrier_sid'>

let rowsMade = 0

/** A new row. Its port stays open until an address says what it is: a name is looked up with its port. */
export const blankGateway = (): GatewayValues => ({
  key: `new-${(rowsMade += 1)}`,
  ipv4: '',
  port: null,
  netmask: netmaskMaximum,
  protocol: 'udp',
  is_active: 1,
  inbound: 1,
  outbound: 0,
  pad_crypto: 0,
  send_options_ping: 0,
})

export const gatewayValues = (row: SipGateway): GatewayValues => ({
  key: row.sip_gateway_sid,
  ipv4: row.ipv4,
  port: row.port,
  netmask: row.netmask,
  protocol: row.protocol ?? 'udp',
  is_active: row.is_active,
  inbound: row.inbound,
  outbound: row.outbound,
  pad_crypto: row.pad_crypto,
  send_options_ping: row.send_options_ping,
})

const bit = (value: number) => (value ? 1 : 0)
const isProtocol = (value: string): value is Protocol => (protocols as readonly string[]).includes(value)
const wholeNumber = (value: number | string | null) => (typeof value === 'string' ? Number.NaN : value)

/** The netmask says how many addresses are let in: of a name it says nothing. */
const netmaskOf = ({ ipv4, netmask }: GatewayValues) =>
  isIPv4(ipv4.trim()) ? (wholeNumber(netmask) ?? netmaskMaximum) : netmaskMaximum

export const gatewayBody = (row: GatewayValues): GatewayBody => ({
  ipv4: row.ipv4.trim(),
  port: wholeNumber(row.port),
  netmask: netmaskOf(row),
  protocol: isProtocol(row.protocol) ? row.protocol : 'udp',
  is_active: bit(row.is_active),
  inbound: bit(row.inbound),
  outbound: bit(row.outbound),
  pad_crypto: bit(row.pad_crypto),
  send_options_ping: bit(row.send_options_ping),
})

const entryOf = (row: GatewayValues): GatewayEntry => ({
  ipv4: row.ipv4.trim(),
  port: wholeNumber(row.port),
  netmask: netmaskOf(row),
  inbound: row.inbound,
  outbound: row.outbound,
})

/** Broken rules by the form's paths: `gateways.0.ipv4`, or `gateways` when there is none at all. */
export const gatewayRowFaults = (rows: GatewayValues[]): Faults => {
  if (rows.length === 0) return { gateways: messages.gateway.atLeastOne }
  const entries = rows.map(entryOf)
  const faults: Faults = {}
  for (const { row, field, message } of gatewayFaults(entries)) faults[`gateways.${row}.${field}`] = message
  const wrong = new Set(Object.keys(faults).map((path) => Number(path.split('.')[1])))
  for (const [at, entry] of entries.entries()) {
    const refusal = wrong.has(at) ? undefined : gatewayRefusal(entry)
    if (refusal) faults[`gateways.${at}.${refusal.field}`] = refusal.msg
  }
  return faults
}
