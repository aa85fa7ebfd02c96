import { messages, type Direction } from '../messages/voip-carrier'
import { addressKind, isIPv4 } from './address'
import { maxNetmask, maxPort, isInRange, type GatewayEntry } from './gateways'

export type { Direction } from '../messages/voip-carrier'

export const defaultSmppPort = 2775

/** The part of an SMPP gateway that the rules look at. */
export type SmppEntry = GatewayEntry

/** Do messages go over the gateway this way? Unsaid, they go out: that is the table's own default. */
export const isUsedFor = (direction: Direction, gateway: SmppEntry): boolean =>
  Boolean(gateway[direction] ?? direction === 'outbound')

/** A broken rule: the row it was found in, the field of that row, the sentence to show. */
export interface SmppError {
  row: number
  field: 'ipv4' | 'port' | 'netmask'
  message: string
}

const addressError: Record<Direction, (address: string) => string | undefined> = {
  // Whoever hands messages over is known by the address they come from.
  inbound: (address) => (isIPv4(address) ? undefined : messages.smpp.invalidAddress('inbound')),
  outbound: (address) => {
    const kind = addressKind(address)
    if (kind === 'invalid') return messages.smpp.invalidAddress('outbound')
    return kind === 'fqdn-top-level' ? messages.smpp.subdomain(`smpp.${address}`) : undefined
  },
}

/** Two ways out may lead to one address on two ports; who comes in from an address is one. */
const uniqueKey = (direction: Direction, { ipv4, port }: SmppEntry) =>
  direction === 'inbound' ? ipv4 : `${ipv4.toLowerCase()}:${port ?? defaultSmppPort}`

const findError = (
  direction: Direction,
  gateway: SmppEntry,
  row: number,
  carrierGateways: SmppEntry[],
): SmppError | undefined => {
  const message = addressError[direction](gateway.ipv4)
  if (message) return { row, field: 'ipv4', message: message }
  if (!isInRange(gateway.port, 0, maxPort)) return { row, field: 'port', message: messages.gateway.badPort(maxPort) }
  if (!isInRange(gateway.netmask, 1, maxNetmask))
    return { row, field: 'netmask', message: messages.gateway.badNetmask(maxNetmask) }
  const firstIndex = carrierGateways.findIndex((other) => uniqueKey(direction, other) === uniqueKey(direction, gateway))
  return firstIndex < row ? { row, field: 'ipv4', message: messages.smpp.duplicate(direction) } : undefined
}

/** Every broken rule of a carrier's SMPP gateways of one direction, at most one for each row. */
export const smppErrors = (direction: Direction, gateways: SmppEntry[]): SmppError[] =>
  gateways.flatMap((gateway, row) => findError(direction, gateway, row, gateways) ?? [])

/** The broken rule of one SMPP gateway among the others that its carrier has. What is wrong with those is not asked. */
export const smppError = (gateway: SmppEntry, others: SmppEntry[]): SmppError | undefined => {
  for (const direction of ['outbound', 'inbound'] as const) {
    const sameDirection = others.filter((other) => isUsedFor(direction, other))
    const error =
      isUsedFor(direction, gateway) && findError(direction, gateway, sameDirection.length, [...sameDirection, gateway])
    if (error) return error
  }
  return undefined
}

/** Who signs in somewhere to send messages needs somewhere to sign in. */
export const missingOutboundError = (
  login: { smpp_system_id?: string | null; smpp_password?: string | null },
  outbound: unknown[],
): string | undefined =>
  (login.smpp_system_id || login.smpp_password) && outbound.length === 0 ? messages.smpp.atLeastOneOutbound : undefined
