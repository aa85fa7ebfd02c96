import * as z from 'zod'
import { bit } from '../kit/fields'
import { apiKeySchema } from './api-key'
import { currentSubscriptionSchema } from './subscription'

/** A string. Other types count as absent, so that the route returns its own error for them. */
const optionalText = () => z.string().nullish().catch(undefined)

/** A sign-in. `username` is `users.name`, not the e-mail address. */
export const loginSchema = z.looseObject({
  username: optionalText(),
  password: optionalText(),
})

export const loginResponseSchema = z.object({
  token: z.string(),
  user_sid: z.string(),
  scope: z.enum(['admin', 'service_provider', 'account']),
  force_change: z.boolean(),
  permissions: z.array(z.string()),
  service_provider_sid: z.string().optional(),
  service_provider_name: z.string().optional(),
  account_sid: z.string().optional(),
  account_name: z.string().optional(),
  /** A Trunkline addition: set if the server can send e-mail and the user has no address. */
  add_email: z.literal(true).optional(),
})

export const forgotPasswordSchema = z.looseObject({ email: optionalText() })

export const signInSchema = z.looseObject({ link: optionalText(), email: optionalText(), password: optionalText() })

export const signInResponseSchema = z.object({
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
  /** The column of the user's row. The token contains the user's permissions. */
  scope: z.string(),
  phone_validated: z.boolean(),
  email_validated: z.boolean(),
  is_active: z.boolean(),
  pristine: z.boolean(),
})

/** The link from the e-mail and the user's password. */
export const confirmEmailSchema = z.strictObject({
  link: z.string().min(1).max(64),
  password: z.string().min(1).max(1024),
})

const passwordsRequired = 'missing old_password or new_password'

export const changePasswordSchema = z.looseObject({
  old_password: z.string({ error: passwordsRequired }).min(1, passwordsRequired),
  new_password: z.string({ error: passwordsRequired }).min(1, passwordsRequired),
})

/**
 * The signed-in user with the account and provider. For users without an account, every key of `account` is null. In the
 * hosted edition, users of an account get the last three fields instead of `sp`; `account` contains `root_domain`, and its
 * `is_active` is a boolean.
 */
export const currentUserSchema = z.object({
  user: z.looseObject({ user_sid: z.string(), name: z.string(), email: z.string(), provider: z.string() }),
  account: z.looseObject({ account_sid: z.string().nullable(), root_domain: z.string().nullish() }),
  sp: z.looseObject({ service_provider_sid: z.string().nullable() }).optional(),
  api_keys: z
    .array(apiKeySchema.pick({ api_key_sid: true, token: true, last_used: true, created_at: true }))
    .optional(),
  subscription: currentSubscriptionSchema.optional(),
  static_ips: z.array(z.string()).optional(),
})

export const passwordSettingsSchema = z.object({
  min_password_length: z.number(),
  require_digit: bit().optional(),
  require_special_character: bit().optional(),
})

const lengthError = 'invalid min_password_length property: should be between 8-20'

export const passwordSettingsChangesSchema = z.strictObject({
  min_password_length: z
    .number({ error: lengthError })
    .int(lengthError)
    .min(8, lengthError)
    .max(20, lengthError)
    .optional(),
  require_digit: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
  require_special_character: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
})

/** A Trunkline addition: the features of this server that a v1 server may lack. */
export const serverCapabilitiesSchema = z.object({
  sort: z.boolean(),
  /** `PUT /PhoneNumbers`: assigns one application to many numbers. */
  bulk: z.boolean(),
  /** `POST /PhoneNumbers/Import`: adds or updates many numbers in one request. */
  import: z.boolean(),
  /** An LCR is saved together with its routes; saving fails if someone else has changed it. */
  routes: z.boolean(),
  /** A carrier is saved together with its gateways; saving fails if someone else has changed it. */
  gateways: z.boolean(),
  /** Buckets accept AWS roles. Only administrators may use the server's own identity, in any credential. */
  awsRoles: z.boolean(),
  /** The TTS cache of all accounts of a service provider can be counted and cleared. */
  providerCache: z.boolean(),
  /** The TTS cache contains speech from the voice servers too, not only speech that this server generated. */
  sharedCache: z.boolean(),
  /** A recording has a URL with a ticket, which a player can open and read in ranges. */
  recordings: z.boolean(),
  /** Statistics of finished calls, and call lists filtered by SIP status. */
  overview: z.boolean(),
  /** The statistics are also grouped by trunk and by account. */
  overviewGroups: z.boolean(),
  /** Calls can be filtered by trunk, termination reason, Call-ID and application, and listed oldest first. */
  callSearch: z.boolean(),
  /** Alerts can be filtered by text and listed in groups. */
  alertGroups: z.boolean(),
  /** A voice platform is connected: calls in progress are listed for accounts and for service providers. */
  live: z.boolean(),
  /** API keys can expire: `expires_at` of `POST /ApiKeys`, enforced by the server. */
  keyExpiry: z.boolean(),
  /** API keys can have a name: `name` of `POST /ApiKeys`. */
  keyName: z.boolean(),
  /** The webhooks of an application can be tested with a sample request. */
  webhookTest: z.boolean(),
  /** Administrators can list captured SIP dialogs and search them by number, address and Call-ID. */
  captures: z.boolean(),
  /**
   * Billing: downgrades are scheduled and can be taken back, an upgrade has a dry run, and lists of accounts contain
   * their subscriptions.
   */
  billing: z.boolean(),
  /** The figures of the screen Home: failing carriers and speech credentials, limits, and percentiles of delays. */
  home: z.boolean(),
  /** Administrators can read the health of the server, its database and the services it uses. */
  systemHealth: z.boolean(),
  /** One route lists the records that use a record. */
  dependents: z.boolean(),
  /** Users can save views of lists. */
  savedViews: z.boolean(),
  /** One route counts the phone numbers and calls of the rows of a list, and calls can be filtered by phone number. */
  recordCounts: z.boolean(),
  /** The list of phone numbers can be filtered by carrier and by application. */
  numberFilters: z.boolean(),
})

export interface Login {
  username: string
  password: string
}
export interface ForgotPassword {
  email: string
}
export type SignIn = { link: string } | { email: string; password: string }
export type SignInResponse = z.output<typeof signInResponseSchema>
export type LoginResponse = z.output<typeof loginResponseSchema>
export type ConfirmEmail = z.input<typeof confirmEmailSchema>
export type ChangePassword = z.input<typeof changePasswordSchema>
export type CurrentUser = z.output<typeof currentUserSchema>
export type PasswordSettings = z.output<typeof passwordSettingsSchema>
export type PasswordSettingsChanges = z.input<typeof passwordSettingsChangesSchema>
export type ServerCapabilities = z.output<typeof serverCapabilitiesSchema>
