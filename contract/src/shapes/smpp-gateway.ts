import * as z from 'zod'
import { bit, flag, port, sid } from '../kit/fields'

export const smppGatewaySchema = z.object({
  smpp_gateway_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  netmask: z.number(),
  is_primary: bit(),
  inbound: bit(),
  outbound: bit(),
  use_tls: bit().nullable(),
  voip_carrier_sid: z.string(),
})

const columns = {
  port: port().optional(),
  netmask: z.number().int().min(1).max(32).optional(),
  is_primary: flag().optional(),
  inbound: flag().optional(),
  outbound: flag().optional(),
  use_tls: flag().nullish(),
}

const address = z.string().min(1).max(128)

export const smppGatewayDraftSchema = z.strictObject({
  voip_carrier_sid: sid().or(z.undefined().refine(() => false, 'missing voip_carrier_sid')),
  ipv4: address,
  /** Ignored: the server assigns the SID. */
  smpp_gateway_sid: z.unknown().optional(),
  ...columns,
})

/** A gateway in the list of a carrier. A gateway without a SID is new. */
export const carrierSmppGatewaySchema = z.strictObject({
  smpp_gateway_sid: sid().optional(),
  ipv4: address,
  ...columns,
})

export const smppGatewayChangesSchema = z.strictObject({
  voip_carrier_sid: sid().optional(),
  ipv4: address.optional(),
  ...columns,
})

export type SmppGateway = z.output<typeof smppGatewaySchema>
export type SmppGatewayDraft = Omit<z.input<typeof smppGatewayDraftSchema>, 'voip_carrier_sid'> & {
  voip_carrier_sid: string
}
export type SmppGatewayChanges = z.input<typeof smppGatewayChangesSchema>
