import { classifyAddress, isIPv4 } from './address'
import { messages } from '../messages/voip-carrier'

export const defaultSipPort = 5060
export const maxPort = 65535
export const maxNetmask = 32
export const protocols = ['udp', 'tcp', 'tls', 'tls/srtp'] as const
/**
 * How the platform identifies an inbound carrier: by IP address, by username and password, or by its own registration
 * with the carrier.
 */
export const trunkTypes = ['static_ip', 'auth', 'reg'] as const
export type TrunkType = (typeof trunkTypes)[number]
/** Carriers that are not identified by IP address need no inbound gateways. */
export const isIdentifiedByAddress = (trunkType: string): boolean => trunkType !== 'auth' && trunkType !== 'reg'
/** The shortest tech prefix that a carrier may have. */
export const minTechPrefixLength = 3

/** The fields of a SIP gateway that the rules check. */
export interface GatewayEntry {
  ipv4: string
  port?: number | null
  netmask?: number | null
  inbound?: boolean | number
  outbound?: boolean | number
}

/** A rule violation: the row, the field of that row, and the message to show. */
export interface GatewayError {
  row: number
  field: 'ipv4' | 'port' | 'netmask' | 'inbound'
  message: string
}

export const isInRange = (value: number | null | undefined, min: number, max: number) =>
  value === null || value === undefined || (Number.isInteger(value) && value >= min && value <= max)

const getPort = (gateway: GatewayEntry) => gateway.port ?? defaultSipPort

const findError = (gateway: GatewayEntry, row: number, carrierGateways: GatewayEntry[]): GatewayError | undefined => {
  const kind = classifyAddress(gateway.ipv4)
  if (kind === 'invalid') return { row, field: 'ipv4', message: messages.gateway.invalidAddress }
  if (!isInRange(gateway.port, 0, maxPort))
    return { row, field: 'port', message: messages.gateway.invalidPort(maxPort) }
  if (!isInRange(gateway.netmask, 1, maxNetmask))
    return { row, field: 'netmask', message: messages.gateway.invalidNetmask(maxNetmask) }
  if (gateway.inbound && kind !== 'ip') return { row, field: 'ipv4', message: messages.gateway.fqdnOutboundOnly }
  if (!gateway.inbound && !gateway.outbound) return { row, field: 'inbound', message: messages.gateway.noDirection }
  const firstIndex = carrierGateways.findIndex(
    (otherGateway) =>
      otherGateway.ipv4.toLowerCase() === gateway.ipv4.toLowerCase() && getPort(otherGateway) === getPort(gateway),
  )
  if (firstIndex < row) return { row, field: 'ipv4', message: messages.gateway.duplicate }
  return undefined
}

/** The error of the list as a whole. The trunk type determines which gateways a carrier needs. */
export const findMissingGatewaysError = (
  gateways: GatewayEntry[],
  trunkType: string = 'static_ip',
): string | undefined => {
  if (trunkType === 'reg' && !gateways.some(({ outbound }) => outbound)) return messages.gateway.outboundForRegistration
  return isIdentifiedByAddress(trunkType) && gateways.length === 0 ? messages.gateway.atLeastOne : undefined
}

/** The errors of a carrier's SIP gateways, at most one per row. */
export const findGatewayErrors = (gateways: GatewayEntry[]): GatewayError[] =>
  gateways.flatMap((gateway, row) => findError(gateway, row, gateways) ?? [])

/** The error of one SIP gateway, checked against the carrier's other gateways. Errors of the others are ignored. */
export const findGatewayError = (gateway: GatewayEntry, otherGateways: GatewayEntry[]): GatewayError | undefined =>
  findError(gateway, otherGateways.length, [...otherGateways, gateway])

/** The API's check of one gateway, with the API's messages; undefined if it is valid. */
export const findGatewayRefusal = (
  gateway: GatewayEntry,
  minNetmask?: number,
): { msg: string; field: string } | undefined => {
  if (/\s/.test(gateway.ipv4)) return { msg: 'Gateway must not contain whitespace', field: 'ipv4' }
  if (gateway.inbound && !isIPv4(gateway.ipv4)) return { msg: 'Inbound gateway must be IPv4 address', field: 'ipv4' }
  const netmask = gateway.netmask ?? maxNetmask
  if (!gateway.inbound && gateway.outbound && netmask !== maxNetmask)
    return { msg: 'For outbound only gateway netmask can only be 32', field: 'netmask' }
  if (minNetmask !== undefined && netmask < minNetmask)
    return { msg: `netmask required to have value equal or greater than ${minNetmask}`, field: 'netmask' }
  return undefined
}
