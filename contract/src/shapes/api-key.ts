import * as z from 'zod'
import { timestamp, sid, text } from '../kit/fields'

export const apiKeySchema = z.object({
  api_key_sid: z.string(),
  token: z.string(),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  expires_at: timestamp(),
  last_used: timestamp(),
  created_at: timestamp(),
  /** A Trunkline addition: what the key is for. */
  name: z.string().nullish(),
})

export const apiKeyDraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  api_key_sid: z.unknown().optional(),
  account_sid: sid().nullish(),
  service_provider_sid: sid().nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  /** A Trunkline addition: server capability `keyName`. */
  name: text(64).nullish(),
  /** Ignored: clients send these columns, but the server sets them. */
  token: z.unknown().optional(),
  last_used: z.unknown().optional(),
  created_at: z.unknown().optional(),
})

export const createdApiKeySchema = z.object({ sid: z.string(), token: z.string() })

export type ApiKey = z.output<typeof apiKeySchema>
export type ApiKeyDraft = z.input<typeof apiKeyDraftSchema>
export type CreatedApiKey = z.output<typeof createdApiKeySchema>
