import * as z from 'zod'
import { bit } from '../kit/fields'

export const predefinedCarrierSchema = z.object({
  predefined_carrier_sid: z.string(),
  name: z.string(),
  requires_static_ip: bit(),
  e164_leading_plus: bit(),
  requires_register: bit(),
  register_username: z.string().nullable(),
  register_sip_realm: z.string().nullable(),
  register_password: z.string().nullable(),
  tech_prefix: z.string().nullable(),
  inbound_auth_username: z.string().nullable(),
  inbound_auth_password: z.string().nullable(),
  diversion: z.string().nullable(),
  trunk_type: z.string(),
})

export type PredefinedCarrier = z.output<typeof predefinedCarrierSchema>
