import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { SipGateway, SipGatewayDraft } from '@trunkline/contract/shapes/sip-gateway'
import { isIPv4 } from '@trunkline/contract/telephony/address'
import {
  findGatewayErrors,
  findGatewayRefusal,
  findMissingGatewaysError,
  isIdentifiedByAddress,
  maxNetmask,
  protocols,
  type GatewayEntry,
} from '@trunkline/contract/telephony/gateways'
import type { FieldErrors } from '../../kit/form/form'
import { toFlag, createRowKey, toNumberOrNaN, type GatewayRowBody } from './gateway-row-values'

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
 * Creates a new row. The port stays empty until the address is typed: an IP address gets the default port, the port of a
 * hostname comes from DNS. If the trunk type does not identify the carrier by address, the gateway is outbound only.
 */
export const createEmptyGateway = (trunkType = 'static_ip'): GatewayValues => ({
  key: createRowKey(),
  ipv4: '',
  port: null,
  netmask: maxNetmask,
  protocol: 'udp',
  is_active: 1,
  inbound: toFlag(isIdentifiedByAddress(trunkType)),
  outbound: toFlag(!isIdentifiedByAddress(trunkType)),
  pad_crypto: 0,
  send_options_ping: 0,
  use_sips_scheme: 0,
  remove_ice: 0,
  dtls_off: 0,
})

export const toGatewayValues = (row: SipGateway): GatewayValues => ({
  key: row.sip_gateway_sid || createRowKey(),
  ipv4: row.ipv4 ?? '',
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
export const usesEncryption = ({ outbound, protocol }: GatewayValues): boolean =>
  Boolean(outbound) && protocol.startsWith('tls')

/** A netmask applies to IP addresses only; a hostname always gets 32. */
const getNetmask = ({ ipv4, netmask }: GatewayValues) =>
  isIPv4(ipv4.trim()) ? (toNumberOrNaN(netmask) ?? maxNetmask) : maxNetmask

/**
 * Returns the body of a gateway. Settings that do not apply to its protocol are turned off, so that one ticked earlier
 * does not take effect later.
 */
export const toGatewayBody = (row: GatewayValues): GatewayBody => {
  const isEncrypted = usesEncryption(row)
  return {
    ipv4: row.ipv4.trim(),
    port: toNumberOrNaN(row.port),
    netmask: getNetmask(row),
    protocol: isProtocol(row.protocol) ? row.protocol : 'udp',
    is_active: toFlag(row.is_active),
    inbound: toFlag(row.inbound),
    outbound: toFlag(row.outbound),
    pad_crypto: toFlag(row.pad_crypto),
    send_options_ping: toFlag(row.outbound && row.send_options_ping),
    use_sips_scheme: toFlag(isEncrypted && row.use_sips_scheme),
    remove_ice: toFlag(isEncrypted && row.remove_ice),
    dtls_off: toFlag(isEncrypted && row.dtls_off),
  }
}

/**
 * Returns whether the trunk type uses the row. Trunks that are not identified by address have no inbound-only gateways.
 */
export const isUsedByTrunk = (row: GatewayValues, trunkType: string): boolean =>
  isIdentifiedByAddress(trunkType) || Boolean(row.outbound)

/** The gateways to send: those that the trunk type uses, each with its path in the form. */
export const listGatewaysToSend = (rows: GatewayValues[], trunkType: string): GatewayRowBody<GatewayBody>[] =>
  rows.flatMap((row, index) => {
    if (!isUsedByTrunk(row, trunkType)) return []
    const body = toGatewayBody(row)
    return {
      key: row.key,
      path: `gateways.${index}`,
      body: isIdentifiedByAddress(trunkType) ? body : { ...body, inbound: 0 as const },
    }
  })

/**
 * Completes the error message for an address with a placeholder. Predefined carriers have gateways such as
 * <your-domain>.pstn.twilio.com, and the user has to replace the part in brackets.
 */
const explainPlaceholder = (message: string, address: string) => {
  const placeholder = /<[^>]+>/.exec(address)?.[0]
  return placeholder && message === messages.gateway.invalidAddress
    ? `${message} ${messages.gateway.replacePlaceholder(placeholder)}`
    : message
}

/** Returns whether the carrier needs no further gateways. */
export const hasEnoughGateways = (rows: GatewayValues[], trunkType: string): boolean =>
  findMissingGatewaysError(
    listGatewaysToSend(rows, trunkType).map(({ body }) => body),
    trunkType,
  ) === undefined

/** Returns validation errors by form path: `gateways.0.ipv4`, or `gateways` for the whole list. */
export const findGatewayRowErrors = (rows: GatewayValues[], trunkType = 'static_ip'): FieldErrors => {
  const sentGateways = listGatewaysToSend(rows, trunkType)
  const bodies: GatewayEntry[] = sentGateways.map(({ body }) => body)
  const missingGatewaysError = findMissingGatewaysError(bodies, trunkType)
  if (missingGatewaysError) return { gateways: missingGatewaysError }
  const errors: FieldErrors = {}
  const invalidRows = new Set<number>()
  for (const { row: index, field, message } of findGatewayErrors(bodies)) {
    invalidRows.add(index)
    errors[`${sentGateways[index]?.path}.${field}`] = explainPlaceholder(message, bodies[index]?.ipv4 ?? '')
  }
  for (const [index, { path }] of sentGateways.entries()) {
    const refusal = invalidRows.has(index) ? undefined : findGatewayRefusal(bodies[index]!)
    if (refusal) errors[`${path}.${refusal.field}`] = refusal.msg
  }
  return errors
}
