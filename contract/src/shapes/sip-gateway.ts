import * as z from 'zod'
import { bit, choice, flag, port, sid } from '../kit/fields'
import { protocols } from '../telephony/gateways'

export const sipGatewaySchema = z.object({
  sip_gateway_sid: z.string(),
  ipv4: z.string(),
  netmask: z.number(),
  port: z.number().nullable(),
  inbound: bit(),
  outbound: bit(),
  voip_carrier_sid: z.string(),
  is_active: bit(),
  send_options_ping: bit(),
  use_sips_scheme: bit(),
  pad_crypto: bit(),
  protocol: z.string().nullable(),
  remove_ice: bit(),
  dtls_off: bit(),
})

const columns = {
  port: port().nullish(),
  netmask: z.number().int().min(1).max(32).optional(),
  is_active: flag().optional(),
  send_options_ping: flag().optional(),
  use_sips_scheme: flag().optional(),
  pad_crypto: flag().optional(),
  protocol: choice(protocols).nullish(),
  remove_ice: flag().optional(),
  dtls_off: flag().optional(),
}

const carrierRequired = 'missing voip_carrier_sid'

export const sipGatewayDraftSchema = z.strictObject({
  voip_carrier_sid: sid().or(z.undefined().refine(() => false, carrierRequired)),
  ipv4: z.string().min(1).max(128),
  inbound: flag(),
  outbound: flag(),
  /** Ignored: the server assigns the SID. */
  sip_gateway_sid: z.unknown().optional(),
  ...columns,
})

/** A gateway in the list of a carrier. A gateway without a SID is new. */
export const carrierSipGatewaySchema = z.strictObject({
  sip_gateway_sid: sid().optional(),
  ipv4: z.string().min(1).max(128),
  inbound: flag(),
  outbound: flag(),
  ...columns,
})

export const sipGatewayChangesSchema = z.strictObject({
  voip_carrier_sid: sid().optional(),
  ipv4: z.string().min(1).max(128).optional(),
  inbound: flag().optional(),
  outbound: flag().optional(),
  ...columns,
})

export type SipGateway = z.output<typeof sipGatewaySchema>
export type SipGatewayDraft = Omit<z.input<typeof sipGatewayDraftSchema>, 'voip_carrier_sid'> & {
  voip_carrier_sid: string
}
export type SipGatewayChanges = z.input<typeof sipGatewayChangesSchema>
