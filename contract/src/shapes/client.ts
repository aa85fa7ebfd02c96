import { z } from 'zod'
import { bit, flag, name, optionalSid, text } from '../kit/fields'

export const row = z.object({
  client_sid: z.string(),
  account_sid: z.string(),
  is_active: bit(),
  username: z.string().nullable(),
  /** Obscured but for its first character. */
  password: z.string().nullable(),
  /** Ours: fields whose stored value this server cannot read, and shows as null. Absent where there is none. */
  unreadable: z.array(z.string()).optional(),
  allow_direct_app_calling: bit(),
  allow_direct_queue_calling: bit(),
  allow_direct_user_calling: bit(),
  /** Ours: the name of the account, so that a list needs no further request. */
  account_name: z.string().nullable().optional(),
})

/** As much as fits, encrypted, into the column. */
const password = text(256)

export const create = z.strictObject({
  /** The server's own is put over it. */
  client_sid: z.unknown().optional(),
  /** An account user's client is always of the own account. */
  account_sid: optionalSid(),
  username: name(64, 'missing field username').regex(/^\S*$/, 'username cannot contain whitespace'),
  password: password.nullish(),
  is_active: flag().optional(),
  allow_direct_app_calling: flag().optional(),
  allow_direct_queue_calling: flag().optional(),
  allow_direct_user_calling: flag().optional(),
})

export const update = create.partial().omit({ client_sid: true })

export type Client = z.output<typeof row>
export type ClientDraft = z.input<typeof create>
export type ClientChanges = z.input<typeof update>
