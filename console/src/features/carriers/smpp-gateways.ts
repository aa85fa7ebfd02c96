import type { SmppGateway, SmppGatewayDraft } from '@trunkline/contract/shapes/smpp-gateway'
import { maxNetmask } from '@trunkline/contract/telephony/gateways'
import {
  defaultSmppPort,
  findMissingOutboundError,
  findSmppErrors,
  type Direction,
} from '@trunkline/contract/telephony/smpp'
import type { FieldErrors } from '../../kit/form/form'
import { toFlag, createRowKey, toNumberOrNaN, type GatewayRowBody } from './gateway-row-values'

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
export const smppListNames = { outbound: 'smppOutbound', inbound: 'smppInbound' } as const
type SmppLists = Record<(typeof smppListNames)[Direction], SmppValues[]>

export const createEmptySmppGateway = (): SmppValues => ({
  key: createRowKey(),
  ipv4: '',
  port: defaultSmppPort,
  netmask: maxNetmask,
  use_tls: 0,
  is_primary: 0,
})

const toSmppValues = (row: SmppGateway): SmppValues => ({
  key: row.smpp_gateway_sid || createRowKey(),
  ipv4: row.ipv4 ?? '',
  port: row.port,
  netmask: row.netmask,
  use_tls: row.use_tls ?? 0,
  is_primary: row.is_primary,
})

/** Returns the rows of both lists. A two-way gateway appears in both; its inbound row counts as new. */
export const toSmppLists = (rows: SmppGateway[]): SmppLists => ({
  smppOutbound: rows.filter(({ outbound }) => outbound).map(toSmppValues),
  smppInbound: rows
    .filter(({ inbound }) => inbound)
    .map((row) => {
      const values = toSmppValues(row)
      return row.outbound ? { ...values, key: `inbound ${values.key}` } : values
    }),
})

const toSmppBody = (row: SmppValues, direction: Direction): SmppBody => ({
  ipv4: row.ipv4.trim(),
  port: toNumberOrNaN(row.port) ?? defaultSmppPort,
  netmask: toNumberOrNaN(row.netmask) ?? maxNetmask,
  use_tls: toFlag(row.use_tls),
  is_primary: toFlag(row.is_primary),
  inbound: toFlag(direction === 'inbound'),
  outbound: toFlag(direction === 'outbound'),
})

/** The stored body of a gateway. */
export const toStoredSmppBody = (row: SmppGateway): SmppBody => ({
  ...toSmppBody(toSmppValues(row), 'outbound'),
  inbound: toFlag(row.inbound),
  outbound: toFlag(row.outbound),
})

const listRowBodies = (lists: SmppLists, direction: Direction): GatewayRowBody<SmppBody>[] =>
  lists[smppListNames[direction]].map((row, index) => ({
    key: row.key,
    path: `${smppListNames[direction]}.${index}`,
    body: toSmppBody(row, direction),
  }))

/** The gateways to send, each with its path in the form. */
export const listSmppGatewaysToSend = (lists: SmppLists): GatewayRowBody<SmppBody>[] => [
  ...listRowBodies(lists, 'outbound'),
  ...listRowBodies(lists, 'inbound'),
]

type SmppCredentials = Parameters<typeof findMissingOutboundError>[0]

/** Returns validation errors by form path. */
export const findSmppRowErrors = (lists: SmppLists, credentials: SmppCredentials): FieldErrors => {
  const missingOutboundError = findMissingOutboundError(credentials, lists.smppOutbound)
  const errors: FieldErrors = missingOutboundError ? { smppOutbound: missingOutboundError } : {}
  for (const direction of ['outbound', 'inbound'] as const) {
    const rows = listRowBodies(lists, direction)
    for (const { row: index, field, message } of findSmppErrors(
      direction,
      rows.map(({ body }) => body),
    ))
      errors[`${rows[index]?.path}.${field}`] = message
  }
  return errors
}
