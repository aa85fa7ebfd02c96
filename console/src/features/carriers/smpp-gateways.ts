import type { SmppGateway, SmppGatewayDraft } from '@trunkline/contract/shapes/smpp-gateway'
import { maxNetmask } from '@trunkline/contract/telephony/gateways'
import {
  defaultSmppPort,
  findMissingOutboundError,
  findSmppErrors,
  type Direction,
} from '@trunkline/contract/telephony/smpp'
import type { FieldErrors } from '../../kit/form/form'
import { toFlag, createRowKey, numberOrNaN, type PlacedGateway } from './gateway-row-keys'

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

export const newSmppGateway = (): SmppValues => ({
  key: createRowKey(),
  ipv4: '',
  port: defaultSmppPort,
  netmask: maxNetmask,
  use_tls: 0,
  is_primary: 0,
})

const smppValues = (row: SmppGateway): SmppValues => ({
  key: row.smpp_gateway_sid || createRowKey(),
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
  port: numberOrNaN(row.port) ?? defaultSmppPort,
  netmask: numberOrNaN(row.netmask) ?? maxNetmask,
  use_tls: toFlag(row.use_tls),
  is_primary: toFlag(row.is_primary),
  inbound: toFlag(direction === 'inbound'),
  outbound: toFlag(direction === 'outbound'),
})

/** The stored body of a gateway. */
export const storedSmppBody = (row: SmppGateway): SmppBody => ({
  ...smppBody(smppValues(row), 'outbound'),
  inbound: toFlag(row.inbound),
  outbound: toFlag(row.outbound),
})

const placeRows = (lists: SmppLists, direction: Direction): PlacedGateway<SmppBody>[] =>
  lists[smppLists[direction]].map((row, index) => ({
    key: row.key,
    path: `${smppLists[direction]}.${index}`,
    body: smppBody(row, direction),
  }))

/** The gateways to send, each with its path in the form. */
export const smppGatewaysToSend = (lists: SmppLists): PlacedGateway<SmppBody>[] => [
  ...placeRows(lists, 'outbound'),
  ...placeRows(lists, 'inbound'),
]

type SmppLogin = Parameters<typeof findMissingOutboundError>[0]

/** Returns validation errors by form path. */
export const smppRowErrors = (lists: SmppLists, login: SmppLogin): FieldErrors => {
  const missing = findMissingOutboundError(login, lists.smppOutbound)
  const errors: FieldErrors = missing ? { smppOutbound: missing } : {}
  for (const direction of ['outbound', 'inbound'] as const) {
    const rows = placeRows(lists, direction)
    for (const { row, field, message } of findSmppErrors(
      direction,
      rows.map(({ body }) => body),
    ))
      errors[`${rows[row]?.path}.${field}`] = message
  }
  return errors
}
