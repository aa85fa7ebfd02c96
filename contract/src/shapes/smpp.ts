import * as z from 'zod'
import { bit, flag, optionalSid, port } from '../kit/fields'

export const smppSchema = z.object({
  smpp_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  use_tls: bit(),
  is_primary: bit(),
  service_provider_sid: z.string().nullable(),
})

export const smppDraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  smpp_address_sid: z.unknown().optional(),
  ipv4: z.string().min(1).max(255),
  port: port().optional(),
  use_tls: flag().optional(),
  is_primary: flag().optional(),
  service_provider_sid: optionalSid(),
})

export type Smpp = z.output<typeof smppSchema>
export type SmppDraft = z.input<typeof smppDraftSchema>
