import * as z from 'zod'
import { bit, flag, name, optionalSid, text } from '../kit/fields'

export const clientSchema = z.object({
  client_sid: z.string(),
  account_sid: z.string(),
  is_active: bit(),
  username: z.string().nullable(),
  /** Masked except for the first character. */
  password: z.string().nullable(),
  /** A Trunkline addition: fields that this server cannot decrypt, returned as null. Absent if there are none. */
  unreadable: z.array(z.string()).optional(),
  allow_direct_app_calling: bit(),
  allow_direct_queue_calling: bit(),
  allow_direct_user_calling: bit(),
  /** A Trunkline addition: the name of the account, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
})

/** The longest password that fits into the column after encryption. */
const password = text(256)

export const clientDraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  client_sid: z.unknown().optional(),
  /** Optional for account users: their own account is used. */
  account_sid: optionalSid(),
  username: name(64, 'missing field username').regex(/^\S*$/, 'username cannot contain whitespace'),
  password: password.nullish(),
  is_active: flag().optional(),
  allow_direct_app_calling: flag().optional(),
  allow_direct_queue_calling: flag().optional(),
  allow_direct_user_calling: flag().optional(),
})

export const clientChangesSchema = clientDraftSchema.partial().omit({ client_sid: true })

export type Client = z.output<typeof clientSchema>
export type ClientDraft = z.input<typeof clientDraftSchema>
export type ClientChanges = z.input<typeof clientChangesSchema>
