import { z } from 'zod'
import { bit } from '../kit/fields'

/** What is no text counts as missing, which the call tells in its own form. */
const optionalText = () => z.string().nullish().catch(undefined)

/** A sign-in. The user name is `users.name`, not the address. */
export const login = z.looseObject({
  username: optionalText(),
  password: optionalText(),
})

export const loginResponse = z.object({
  token: z.string(),
  user_sid: z.string(),
  scope: z.enum(['admin', 'service_provider', 'account']),
  force_change: z.boolean(),
  permissions: z.array(z.string()),
  service_provider_sid: z.string().optional(),
  service_provider_name: z.string().optional(),
  account_sid: z.string().optional(),
  account_name: z.string().optional(),
  /** Ours: mail is sent here, and this user has no address that it could be sent to. */
  add_email: z.literal(true).optional(),
})

export const forgotPassword = z.looseObject({ email: optionalText() })

export const signIn = z.looseObject({ link: optionalText(), email: optionalText(), password: optionalText() })

export const signInResponse = z.object({
  jwt: z.string(),
  user_sid: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  force_change: z.boolean(),
  provider: z.string(),
  provider_userid: z.string().nullable(),
  /** The column of the user's row. What the user may do stands in the token. */
  scope: z.string(),
  phone_validated: z.boolean(),
  email_validated: z.boolean(),
  is_active: z.boolean(),
  pristine: z.boolean(),
})

/** The link in the mail, and the password of the user. */
export const confirmEmail = z.strictObject({ link: z.string().min(1).max(64), password: z.string().min(1).max(1024) })

const passwordsRequired = 'missing old_password or new_password'

export const changePassword = z.looseObject({
  old_password: z.string({ error: passwordsRequired }).min(1, passwordsRequired),
  new_password: z.string({ error: passwordsRequired }).min(1, passwordsRequired),
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

const lengthError = 'invalid min_password_length property: should be between 8-20'

export const passwordSettingsChanges = z.strictObject({
  min_password_length: z
    .number({ error: lengthError })
    .int(lengthError)
    .min(8, lengthError)
    .max(20, lengthError)
    .optional(),
  require_digit: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
  require_special_character: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
})

/** Ours: what this server does beyond the interface that every server of it has. */
export const serverCapabilities = z.object({
  sort: z.boolean(),
  /** `PUT /PhoneNumbers`: one application for many numbers. */
  bulk: z.boolean(),
  /** `POST /PhoneNumbers/Import`: many numbers at once, all of them or none. */
  import: z.boolean(),
  /** A table of outbound routes is written with all of its routes, and not over what somebody else has changed. */
  routes: z.boolean(),
  /** A carrier is written with all of its gateways, and not over what somebody else has changed. */
  gateways: z.boolean(),
  /** AWS's roles for buckets; the server's own identity, for whatever it is, by an administrator's word only. */
  awsRoles: z.boolean(),
  /** The cached speech of a service provider's accounts is counted and cleared as one. */
  providerCache: z.boolean(),
  /** The cache holds the speech of the platform's servers too, not only what this server generated. */
  sharedCache: z.boolean(),
  /** A recording has an address that a player may open by itself, in parts. */
  recordings: z.boolean(),
  /** Calls that have ended are added up, and listed by their SIP status. */
  overview: z.boolean(),
  /** They are also grouped by trunk and by account. */
  overviewGroups: z.boolean(),
  /** Calls are found by trunk, termination reason, Call-ID and application, and listed with the oldest first. */
  callSearch: z.boolean(),
  /** Alerts are found by a text, and listed in groups. */
  alertGroups: z.boolean(),
  /** There is a platform here on which something goes on: calls in progress are listed, of a service provider as well. */
  live: z.boolean(),
  /** An API key has an expiry that the server enforces: `expires_at` of `POST /ApiKeys`. */
  keyExpiry: z.boolean(),
  /** A webhook of an application is tested with a sample request. */
  webhookTest: z.boolean(),
  /** Administrators list captured SIP dialogues, and search them by number, address and Call-ID. */
  captures: z.boolean(),
})

export interface Login {
  username: string
  password: string
}
export interface ForgotPassword {
  email: string
}
export type SignIn = { link: string } | { email: string; password: string }
export type SignInResponse = z.output<typeof signInResponse>
export type LoginResponse = z.output<typeof loginResponse>
export type ConfirmEmail = z.input<typeof confirmEmail>
export type ChangePassword = z.input<typeof changePassword>
export type Me = z.output<typeof me>
export type PasswordSettings = z.output<typeof passwordSettings>
export type PasswordSettingsChanges = z.input<typeof passwordSettingsChanges>
export type ServerCapabilities = z.output<typeof serverCapabilities>
