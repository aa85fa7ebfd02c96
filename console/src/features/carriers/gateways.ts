import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { SipGateway, SipGatewayDraft } from '@trunkline/contract/shapes/sip-gateway'
import { isIPv4 } from '@trunkline/contract/telephony/address'
import {
  gatewayErrors,
  gatewayRefusal,
  missingGatewaysError,
  isIdentifiedByAddress,
  maxNetmask,
  protocols,
  type GatewayEntry,
} from '@trunkline/contract/telephony/gateways'
import type { Faults } from '../../kit/form/form'
import { bit, nextKey, wholeNumber, type Placed } from './gateway-row-keys'

type Protocol = (typeof protocols)[number]

/** The values of a gateway row. Input that is not a number stays as typed, for validation to reject. */
export interface GatewayValues {
  /** Identifies the row while the form is open; the SID of a stored gateway. */
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
  use_sips_scheme: number
  remove_ice: number
  dtls_off: number
}

/** The body of one gateway, without its carrier. */
export type GatewayBody = Omit<SipGatewayDraft, 'voip_carrier_sid' | 'sip_gateway_sid'>

/**
 * A new row. The port stays empty until the address is typed: an IP address gets the default port, the port of a
 * hostname comes from DNS. If the trunk type does not identify the carrier by address, the gateway is outbound only.
 */
export const blankGateway = (trunk = 'static_ip'): GatewayValues => ({
  key: nextKey(),
  ipv4: '',
  port: null,
  netmask: maxNetmask,
  protocol: 'udp',
  is_active: 1,
  inbound: bit(isIdentifiedByAddress(trunk)),
  outbound: bit(!isIdentifiedByAddress(trunk)),
  pad_crypto: 0,
  send_options_ping: 0,
  use_sips_scheme: 0,
  remove_ice: 0,
  dtls_off: 0,
})

export const gatewayValues = (row: SipGateway): GatewayValues => ({
  key: row.sip_gateway_sid || nextKey(),
  ipv4: row.ipv4,
  port: row.port,
  netmask: row.netmask,
  protocol: row.protocol ?? 'udp',
  is_active: row.is_active,
  inbound: row.inbound,
  outbound: row.outbound,
  pad_crypto: row.pad_crypto,
  send_options_ping: row.send_options_ping,
  use_sips_scheme: row.use_sips_scheme,
  remove_ice: row.remove_ice,
  dtls_off: row.dtls_off,
})

const isProtocol = (value: string): value is Protocol => (protocols as readonly string[]).includes(value)

/** Returns whether calls to the gateway are encrypted; some settings apply only then. */
export const isSecure = ({ outbound, protocol }: GatewayValues): boolean =>
  Boolean(outbound) && protocol.startsWith('tls')

/** A netmask applies to IP addresses only; a hostname always gets 32. */
const netmaskOf = ({ ipv4, netmask }: GatewayValues) =>
  isIPv4(ipv4.trim()) ? (wholeNumber(netmask) ?? maxNetmask) : maxNetmask

/**
 * Returns the body of a gateway. Settings that do not apply to its protocol are turned off, so that one ticked earlier
 * does not take effect later.
 */
export const gatewayBody = (row: GatewayValues): GatewayBody => {
  const secure = isSecure(row)
  return {
    ipv4: row.ipv4.trim(),
    port: wholeNumber(row.port),
    netmask: netmaskOf(row),
    protocol: isProtocol(row.protocol) ? row.protocol : 'udp',
    is_active: bit(row.is_active),
    inbound: bit(row.inbound),
    outbound: bit(row.outbound),
    pad_crypto: bit(row.pad_crypto),
    send_options_ping: bit(row.outbound && row.send_options_ping),
    use_sips_scheme: bit(secure && row.use_sips_scheme),
    remove_ice: bit(secure && row.remove_ice),
    dtls_off: bit(secure && row.dtls_off),
  }
}

/**
 * Returns whether the trunk type uses the row. Trunks that are not identified by address have no inbound-only gateways.
 */
export const belongs = (row: GatewayValues, trunk: string): boolean =>
  isIdentifiedByAddress(trunk) || Boolean(row.outbound)

/** The gateways to send: those that the trunk type uses, each with its path in the form. */
export const placedGateways = (rows: GatewayValues[], trunk: string): Placed<GatewayBody>[] =>
  rows.flatMap((row, at) => {
    if (!belongs(row, trunk)) return []
    const body = gatewayBody(row)
    return {
      key: row.key,
      path: `gateways.${at}`,
      body: isIdentifiedByAddress(trunk) ? body : { ...body, inbound: 0 as const },
    }
  })

/**
 * Predefined carriers have gateways such as <your-domain>.pstn.twilio.com, where the user has to replace the part in
 * brackets.
 */
const withPlaceholder = (message: string, address: string) => {
  const placeholder = /<[^>]+>/.exec(address)?.[0]
  return placeholder && message === messages.gateway.invalidAddress
    ? `${message} ${messages.gateway.replace(placeholder)}`
    : message
}

/** Returns whether the carrier needs no further gateways. */
export const isComplete = (rows: GatewayValues[], trunk: string): boolean =>
  missingGatewaysError(
    placedGateways(rows, trunk).map(({ body }) => body),
    trunk,
  ) === undefined

/** Returns validation errors by form path: `gateways.0.ipv4`, or `gateways` for the whole list. */
export const gatewayRowFaults = (rows: GatewayValues[], trunk = 'static_ip'): Faults => {
  const placed = placedGateways(rows, trunk)
  const entries: GatewayEntry[] = placed.map(({ body }) => body)
  const missing = missingGatewaysError(entries, trunk)
  if (missing) return { gateways: missing }
  const faults: Faults = {}
  const wrong = new Set<number>()
  for (const { row, field, message } of gatewayErrors(entries)) {
    wrong.add(row)
    faults[`${placed[row]?.path}.${field}`] = withPlaceholder(message, entries[row]?.ipv4 ?? '')
  }
  for (const [at, { path }] of placed.entries()) {
    const refusal = wrong.has(at) ? undefined : gatewayRefusal(entries[at]!)
    if (refusal) faults[`${path}.${refusal.field}`] = refusal.msg
  }
  return faults
}
