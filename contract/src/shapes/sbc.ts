import * as z from 'zod'
import { timestamp, optionalSid, port } from '../kit/fields'

export const sbcSchema = z.object({
  sbc_address_sid: z.string(),
  ipv4: z.string(),
  port: z.number(),
  tls_port: z.number().nullable(),
  wss_port: z.number().nullable(),
  service_provider_sid: z.string().nullable(),
  last_updated: timestamp(),
})

export const sbcDraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  sbc_address_sid: z.unknown().optional(),
  ipv4: z.string().min(1).max(255),
  port: port().optional(),
  tls_port: port().nullish(),
  wss_port: port().nullish(),
  service_provider_sid: optionalSid(),
})

export type Sbc = z.output<typeof sbcSchema>
export type SbcDraft = z.input<typeof sbcDraftSchema>
