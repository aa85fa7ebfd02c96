import * as z from 'zod'

/** A string. Other types count as absent, so that the route returns its own error for them. */
const optionalText = (max: number) => z.string().max(max).nullish().catch(undefined)

/** How a user signs in: with a password of this installation, or at another company. */
export const identityProviders = ['github', 'google'] as const

/**
 * Registers an account or, with an OAuth code of an existing user, signs in. The route checks required fields itself,
 * because each provider requires others and has its own messages.
 */
export const registrationSchema = z.looseObject({
  provider: optionalText(32),
  service_provider_sid: optionalText(36),
  /** The registrant's name, or the account's. Ignored: the account is named after its e-mail address. */
  name: optionalText(255),
  email: optionalText(255),
  password: optionalText(1024),
  /** Required from existing clients, and ignored: the server generates the code that it mails. */
  email_activation_code: optionalText(16),
  inviteCode: optionalText(16),
  oauth2_code: optionalText(2048),
  oauth2_state: optionalText(2048),
  oauth2_client_id: optionalText(255),
  oauth2_redirect_uri: optionalText(2048),
  /** A Trunkline addition: the PKCE verifier whose challenge the browser sent to the identity provider. */
  oauth2_code_verifier: optionalText(128),
  /** The path of the console on which the user chose the identity provider. */
  locationBeforeAuth: optionalText(255),
  /** A Trunkline addition: the current password of a signed-in user who changes how to sign in. */
  old_password: optionalText(1024),
  /**
   * A Trunkline addition: the code that a signed-in user of an identity provider requested with `POST /ActivationCode`, to
   * change how to sign in.
   */
  confirmation_code: optionalText(16),
})

export const registrationResponseSchema = z.object({
  jwt: z.string(),
  user_sid: z.string(),
  account_sid: z.string(),
  name: z.string(),
  email: z.string(),
  provider: z.string(),
  provider_userid: z.string().optional(),
  avatar_url: z.string().optional(),
  picture: z.string().optional(),
  /** Only of a new account. */
  root_domain: z.string().optional(),
  /** Whether the account is new. */
  pristine: z.boolean(),
  is_active: z.boolean(),
  email_validated: z.boolean(),
  phone_validated: z.boolean(),
  tutorial_completion: z.number(),
  /** The column of the user's row. */
  scope: z.string(),
})

/**
 * A Trunkline addition: the 403 response to a sign-in with the right password, if the email address is not confirmed. The
 * token can only confirm it and sign out.
 */
export const unconfirmedEmailSchema = z.object({
  msg: z.string(),
  jwt: z.string(),
  user_sid: z.string(),
  account_sid: z.string(),
  email: z.string(),
})

export const activationTypes = ['email', 'phone'] as const

/** Sends a new activation code. `code` and `value` are accepted from existing clients. */
export const activationCodeRequestSchema = z.looseObject({
  user_sid: optionalText(36),
  type: optionalText(16),
  code: optionalText(16),
  value: optionalText(255),
})

export const activationSchema = z.looseObject({ user_sid: optionalText(36), type: optionalText(16) })

export const inviteCodeSchema = z.looseObject({
  code: optionalText(16),
  /** Only checks the code. */
  test: z.boolean().nullish().catch(undefined),
})

export const inviteCodeBatchSchema = z.looseObject({ count: z.number().int().min(1).max(1000).default(1) })

export const inviteCodeBatchResponseSchema = z.object({
  status: z.literal('ok'),
  added: z.number(),
  codes: z.array(z.string()),
})

export type IdentityProvider = (typeof identityProviders)[number]
export type Registration = z.input<typeof registrationSchema>
export type RegistrationResponse = z.output<typeof registrationResponseSchema>
export type UnconfirmedEmail = z.output<typeof unconfirmedEmailSchema>
export type ActivationCodeRequest = z.input<typeof activationCodeRequestSchema>
export type Activation = z.input<typeof activationSchema>
export type InviteCode = z.input<typeof inviteCodeSchema>
export type InviteCodeBatch = z.input<typeof inviteCodeBatchSchema>
export type InviteCodeBatchResponse = z.output<typeof inviteCodeBatchResponseSchema>
