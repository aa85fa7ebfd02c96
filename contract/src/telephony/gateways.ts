import { addressKind, isIPv4 } from './address'
import { messages } from '../messages/carrier'

export const defaultSipPort = 5060
export const portMaximum = 65535
export const netmaskMaximum = 32
export const protocols = ['udp', 'tcp', 'tls', 'tls/srtp'] as const
/** The shortest tech prefix that a carrier may have. */
export const techPrefixMinimum = 3

/** The part of a SIP gateway that the rules look at. */
export interface GatewayEntry {
  ipv4: string
  port?: number | null
  netmask?: number | null
  inbound?: boolean | number
  outbound?: boolean | number
}

/** A broken rule: the row it was found in, the field of that row, the sentence to show. */
export interface GatewayFault {
  row: number
  field: 'ipv4' | 'port' | 'netmask' | 'inbound'
  message: string
}

const within = (value: number | null | undefined, least: number, most: number) =>
  value === null || value === undefined || (Number.isInteger(value) && value >= least && value <= most)

const portOf = (gateway: GatewayEntry) => gateway.port ?? defaultSipPort

const faultOf = (gateway: GatewayEntry, row: number, all: GatewayEntry[]): GatewayFault | undefined => {
  const kind = addressKind(gateway.ipv4)
  if (kind === 'invalid') return { row, field: 'ipv4', message: messages.gateway.invalidAddress }
  if (!within(gateway.port, 0, portMaximum))
    return { row, field: 'port', message: messages.gateway.badPort(portMaximum) }
  if (!within(gateway.netmask, 1, netmaskMaximum))
    return { row, field: 'netmask', message: messages.gateway.badNetmask(netmaskMaximum) }
  if (gateway.inbound && kind !== 'ip') return { row, field: 'ipv4', message: messages.gateway.fqdnOutboundOnly }
  if (!gateway.inbound && !gateway.outbound) return { row, field: 'inbound', message: messages.gateway.noDirection }
  const twin = all.findIndex(
    (other) => other.ipv4.toLowerCase() === gateway.ipv4.toLowerCase() && portOf(other) === portOf(gateway),
  )
  if (twin < row) return { row, field: 'ipv4', message: messages.gateway.duplicate }
  return undefined
}

/** Every broken rule of a carrier's SIP gateways, at most one for each row. An empty list is itself a fault, in row 0. */
export const gatewayFaults = (gateways: GatewayEntry[]): GatewayFault[] => {
  if (gateways.length === 0) return [{ row: 0, field: 'ipv4', message: messages.gateway.atLeastOne }]
  return gateways.flatMap((gateway, row) => faultOf(gateway, row, gateways) ?? [])
}

/** The wire's own rule for one gateway, in the wire's words; undefined when it is fine. */
export const gatewayRefusal = (
  gateway: GatewayEntry,
  minimumNetmask?: number,
): { msg: string; field: string } | undefined => {
  if (/\s/.test(gateway.ipv4)) return { msg: 'Gateway must not contain whitespace', field: 'ipv4' }
  if (gateway.inbound && !isIPv4(gateway.ipv4)) return { msg: 'Inbound gateway must be IPv4 address', field: 'ipv4' }
  const netmask = gateway.netmask ?? netmaskMaximum
  if (!gateway.inbound && gateway.outbound && netmask !== netmaskMaximum)
    return { msg: 'For outbound only gateway netmask can only be 32', field: 'netmask' }
  if (minimumNetmask !== undefined && netmask < minimumNetmask)
    return { msg: `netmask required to have value equal or greater than ${minimumNetmask}`, field: 'netmask' }
  return undefined
}
