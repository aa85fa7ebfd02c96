import { z } from 'zod'
import { bit } from '../kit/fields'

/** A sign-in. The user name is `users.name`, not the address. What is missing is told by the call, in its own form. */
export const login = z.looseObject({
  username: z.string().nullish().catch(undefined),
  password: z.string().nullish().catch(undefined),
})

export const loggedIn = z.object({
  token: z.string(),
  user_sid: z.string(),
  scope: z.enum(['admin', 'service_provider', 'account']),
  force_change: z.boolean(),
  permissions: z.array(z.string()),
  service_provider_sid: z.string().optional(),
  service_provider_name: z.string().optional(),
  account_sid: z.string().optional(),
  account_name: z.string().optional(),
})

const passwords = 'missing old_password or new_password'

export const changePassword = z.looseObject({
  old_password: z.string({ error: passwords }).min(1, passwords),
  new_password: z.string({ error: passwords }).min(1, passwords),
})

/** The signed-in user with the joined rows. For one without an account every key of `account` is null. */
export const me = z.object({
  user: z.looseObject({ user_sid: z.string(), name: z.string(), email: z.string(), provider: z.string() }),
  account: z.looseObject({ account_sid: z.string().nullable() }),
  sp: z.looseObject({ service_provider_sid: z.string().nullable() }),
})

export const passwordSettings = z.object({
  min_password_length: z.number(),
  require_digit: bit().optional(),
  require_special_character: bit().optional(),
})

const lengthFault = 'invalid min_password_length property: should be between 8-20'

export const passwordSettingsChanges = z.strictObject({
  min_password_length: z
    .number({ error: lengthFault })
    .int(lengthFault)
    .min(8, lengthFault)
    .max(20, lengthFault)
    .optional(),
  require_digit: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
  require_special_character: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
})

/** Ours: what this server does beyond the interface that every server of it has. */
export const abilities = z.object({ sort: z.boolean(), bulk: z.boolean() })

export interface Login {
  username: string
  password: string
}
export type LoggedIn = z.output<typeof loggedIn>
export type ChangePassword = z.input<typeof changePassword>
export type Me = z.output<typeof me>
export type PasswordSettings = z.output<typeof passwordSettings>
export type PasswordSettingsChanges = z.input<typeof passwordSettingsChanges>
export type Abilities = z.output<typeof abilities>
