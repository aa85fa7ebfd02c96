import { messages, type Direction } from '../messages/voip-carrier'
import { addressKind, isIPv4 } from './address'
import { netmaskMaximum, portMaximum, within, type GatewayEntry } from './gateways'

export type { Direction } from '../messages/voip-carrier'

export const defaultSmppPort = 2775

/** The part of an SMPP gateway that the rules look at. */
export type SmppEntry = GatewayEntry

/** Do messages go over the gateway this way? Unsaid, they go out: that is the table's own default. */
export const carries = (direction: Direction, gateway: SmppEntry): boolean =>
  Boolean(gateway[direction] ?? direction === 'outbound')

/** A broken rule: the row it was found in, the field of that row, the sentence to show. */
export interface SmppFault {
  row: number
  field: 'ipv4' | 'port' | 'netmask'
  message: string
}

const badAddress: Record<Direction, (address: string) => string | undefined> = {
  // Whoever hands messages over is known by the address they come from.
  inbound: (address) => (isIPv4(address) ? undefined : messages.smpp.invalidAddress('inbound')),
  outbound: (address) => {
    const kind = addressKind(address)
    if (kind === 'invalid') return messages.smpp.invalidAddress('outbound')
    return kind === 'fqdn-top-level' ? messages.smpp.subdomain(`smpp.${address}`) : undefined
  },
}

/** Two ways out may lead to one address on two ports; who comes in from an address is one. */
const placeOf = (direction: Direction, { ipv4, port }: SmppEntry) =>
  direction === 'inbound' ? ipv4 : `${ipv4.toLowerCase()}:${port ?? defaultSmppPort}`

const faultOf = (direction: Direction, gateway: SmppEntry, row: number, all: SmppEntry[]): SmppFault | undefined => {
  const bad = badAddress[direction](gateway.ipv4)
  if (bad) return { row, field: 'ipv4', message: bad }
  if (!within(gateway.port, 0, portMaximum))
    return { row, field: 'port', message: messages.gateway.badPort(portMaximum) }
  if (!within(gateway.netmask, 1, netmaskMaximum))
    return { row, field: 'netmask', message: messages.gateway.badNetmask(netmaskMaximum) }
  const twin = all.findIndex((other) => placeOf(direction, other) === placeOf(direction, gateway))
  return twin < row ? { row, field: 'ipv4', message: messages.smpp.duplicate(direction) } : undefined
}

/** Every broken rule of a carrier's SMPP gateways of one direction, at most one for each row. */
export const smppFaults = (direction: Direction, gateways: SmppEntry[]): SmppFault[] =>
  gateways.flatMap((gateway, row) => faultOf(direction, gateway, row, gateways) ?? [])

/** The broken rule of one SMPP gateway among the others that its carrier has. What is wrong with those is not asked. */
export const smppFault = (gateway: SmppEntry, others: SmppEntry[]): SmppFault | undefined => {
  for (const direction of ['outbound', 'inbound'] as const) {
    const alike = others.filter((other) => carries(direction, other))
    const fault = carries(direction, gateway) && faultOf(direction, gateway, alike.length, [...alike, gateway])
    if (fault) return fault
  }
  return undefined
}

/** Who signs in somewhere to send messages needs somewhere to sign in. */
export const outboundMissing = (
  login: { smpp_system_id?: string | null; smpp_password?: string | null },
  outbound: unknown[],
): string | undefined =>
  (login.smpp_system_id || login.smpp_password) && outbound.length === 0 ? messages.smpp.atLeastOneOutbound : undefined
