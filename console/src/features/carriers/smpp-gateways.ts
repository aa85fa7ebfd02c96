import type { SmppGateway, SmppGatewayDraft } from '@trunkline/contract/shapes/smpp-gateway'
import { maxNetmask } from '@trunkline/contract/telephony/gateways'
import { defaultSmppPort, missingOutboundError, smppErrors, type Direction } from '@trunkline/contract/telephony/smpp'
import type { Faults } from '../../kit/form/form'
import { bit, nextKey, wholeNumber, type Placed } from './gateway-row-keys'

/** The values of an SMPP gateway row. The list it is in determines its direction. */
export interface SmppValues {
  key: string
  ipv4: string
  port: number | string | null
  netmask: number | string | null
  use_tls: number
  is_primary: number
}

/** The body of one gateway, without its carrier. */
export type SmppBody = Omit<SmppGatewayDraft, 'voip_carrier_sid' | 'smpp_gateway_sid'>

/** The form's list for each direction. */
export const smppLists = { outbound: 'smppOutbound', inbound: 'smppInbound' } as const
type SmppLists = Record<(typeof smppLists)[Direction], SmppValues[]>

export const blankSmpp = (): SmppValues => ({
  key: nextKey(),
  ipv4: '',
  port: defaultSmppPort,
  netmask: maxNetmask,
  use_tls: 0,
  is_primary: 0,
})

const smppValues = (row: SmppGateway): SmppValues => ({
  key: row.smpp_gateway_sid || nextKey(),
  ipv4: row.ipv4,
  port: row.port,
  netmask: row.netmask,
  use_tls: row.use_tls ?? 0,
  is_primary: row.is_primary,
})

/** A stored gateway for both directions appears in both lists; its inbound row counts as new. */
export const smppRows = (rows: SmppGateway[]): SmppLists => ({
  smppOutbound: rows.filter(({ outbound }) => outbound).map(smppValues),
  smppInbound: rows
    .filter(({ inbound }) => inbound)
    .map((row) => {
      const values = smppValues(row)
      return row.outbound ? { ...values, key: `inbound ${values.key}` } : values
    }),
})

const smppBody = (row: SmppValues, direction: Direction): SmppBody => ({
  ipv4: row.ipv4.trim(),
  port: wholeNumber(row.port) ?? defaultSmppPort,
  netmask: wholeNumber(row.netmask) ?? maxNetmask,
  use_tls: bit(row.use_tls),
  is_primary: bit(row.is_primary),
  inbound: bit(direction === 'inbound'),
  outbound: bit(direction === 'outbound'),
})

/** The stored body of a gateway. */
export const storedSmpp = (row: SmppGateway): SmppBody => ({
  ...smppBody(smppValues(row), 'outbound'),
  inbound: bit(row.inbound),
  outbound: bit(row.outbound),
})

const placed = (lists: SmppLists, direction: Direction): Placed<SmppBody>[] =>
  lists[smppLists[direction]].map((row, at) => ({
    key: row.key,
    path: `${smppLists[direction]}.${at}`,
    body: smppBody(row, direction),
  }))

/** The gateways to send, each with its path in the form. */
export const placedSmpp = (lists: SmppLists): Placed<SmppBody>[] => [
  ...placed(lists, 'outbound'),
  ...placed(lists, 'inbound'),
]

type Login = Parameters<typeof missingOutboundError>[0]

/** Returns validation errors by form path. */
export const smppRowFaults = (lists: SmppLists, login: Login): Faults => {
  const missing = missingOutboundError(login, lists.smppOutbound)
  const faults: Faults = missing ? { smppOutbound: missing } : {}
  for (const direction of ['outbound', 'inbound'] as const) {
    const rows = placed(lists, direction)
    for (const { row, field, message } of smppErrors(
      direction,
      rows.map(({ body }) => body),
    ))
      faults[`${rows[row]?.path}.${field}`] = message
  }
  return faults
}
