import { messages, type Direction } from '../messages/voip-carrier'
import { classifyAddress, isIPv4 } from './address'
import { maxNetmask, maxPort, isInRange, type GatewayEntry } from './gateways'

export type { Direction } from '../messages/voip-carrier'

export const defaultSmppPort = 2775

/** The fields of an SMPP gateway that the rules check. */
export type SmppEntry = GatewayEntry

/** Whether the gateway carries messages in this direction. The table's default is outbound. */
export const isUsedFor = (direction: Direction, gateway: SmppEntry): boolean =>
  Boolean(gateway[direction] ?? direction === 'outbound')

/** A rule violation: the row, the field of that row, and the message to show. */
export interface SmppError {
  row: number
  field: 'ipv4' | 'port' | 'netmask'
  message: string
}

const findAddressError: Record<Direction, (address: string) => string | undefined> = {
  // Inbound senders are identified by their IP address.
  inbound: (address) => (isIPv4(address) ? undefined : messages.smpp.invalidAddress('inbound')),
  outbound: (address) => {
    const kind = classifyAddress(address)
    if (kind === 'invalid') return messages.smpp.invalidAddress('outbound')
    return kind === 'fqdn-top-level' ? messages.smpp.subdomain(`smpp.${address}`) : undefined
  },
}

/** Outbound gateways may share an address if their ports differ. Inbound senders are identified by address only. */
const getUniqueKey = (direction: Direction, { ipv4, port }: SmppEntry) =>
  direction === 'inbound' ? ipv4 : `${ipv4.toLowerCase()}:${port ?? defaultSmppPort}`

const findError = (
  direction: Direction,
  gateway: SmppEntry,
  row: number,
  carrierGateways: SmppEntry[],
): SmppError | undefined => {
  const message = findAddressError[direction](gateway.ipv4)
  if (message) return { row, field: 'ipv4', message }
  if (!isInRange(gateway.port, 0, maxPort))
    return { row, field: 'port', message: messages.gateway.invalidPort(maxPort) }
  if (!isInRange(gateway.netmask, 1, maxNetmask))
    return { row, field: 'netmask', message: messages.gateway.invalidNetmask(maxNetmask) }
  const firstIndex = carrierGateways.findIndex(
    (otherGateway) => getUniqueKey(direction, otherGateway) === getUniqueKey(direction, gateway),
  )
  return firstIndex < row ? { row, field: 'ipv4', message: messages.smpp.duplicate(direction) } : undefined
}

/** The errors of a carrier's SMPP gateways of one direction, at most one per row. */
export const findSmppErrors = (direction: Direction, gateways: SmppEntry[]): SmppError[] =>
  gateways.flatMap((gateway, row) => findError(direction, gateway, row, gateways) ?? [])

/** The error of one SMPP gateway, checked against the carrier's other gateways. Errors of the others are ignored. */
export const findSmppError = (gateway: SmppEntry, otherGateways: SmppEntry[]): SmppError | undefined => {
  for (const direction of ['outbound', 'inbound'] as const) {
    const gatewaysOfDirection = otherGateways.filter((otherGateway) => isUsedFor(direction, otherGateway))
    const error =
      isUsedFor(direction, gateway) &&
      findError(direction, gateway, gatewaysOfDirection.length, [...gatewaysOfDirection, gateway])
    if (error) return error
  }
  return undefined
}

/** A carrier with SMPP credentials needs an outbound gateway to connect to. */
export const findMissingOutboundError = (
  credentials: { smpp_system_id?: string | null; smpp_password?: string | null },
  outboundGateways: unknown[],
): string | undefined =>
  (credentials.smpp_system_id || credentials.smpp_password) && outboundGateways.length === 0
    ? messages.smpp.atLeastOneOutbound
    : undefined
