import * as z from 'zod'
import { bit, flag, name, optionalSid, text, unchangedSid } from '../kit/fields'
import { messages } from '../messages/user'
import { isEmail } from '../session/email'

/** A user in a list, with the owner. Absent values are omitted. */
export const userSchema = z.object({
  user_sid: z.string(),
  name: z.string(),
  email: z.string(),
  /** 'admin', 'service_provider' or 'account'. */
  scope: z.string(),
  force_change: bit(),
  is_active: bit(),
  account_sid: z.string().nullish(),
  account_name: z.string().nullish(),
  service_provider_sid: z.string().nullish(),
  service_provider_name: z.string().nullish(),
})

/**
 * One user: all columns except password and activation codes. `scope` is a stored column and does not determine
 * permissions.
 */
export const userRecordSchema = userSchema.omit({ account_name: true, service_provider_name: true }).extend({
  pending_email: z.string().nullable(),
  phone: z.string().nullable(),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  /** The sign-in provider: 'local' for this server, otherwise for example 'google'. */
  provider: z.string(),
  provider_userid: z.string().nullable(),
  email_validated: bit(),
  phone_validated: bit(),
  email_content_opt_out: bit(),
  is_view_only: z.boolean(),
})

const passwordText = () => text(1024)

const columns = {
  force_change: flag().optional(),
  is_active: flag().optional(),
  is_view_only: flag().optional(),
}

export const userDraftSchema = z.strictObject({
  name: name(255, 'missing field name'),
  email: name(255, 'missing field email').refine(isEmail, messages.invalidEmail),
  initial_password: z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? 'missing field initial_password' : 'initial_password must be a string',
    })
    .min(1, 'missing field initial_password')
    .pipe(passwordText()),
  service_provider_sid: optionalSid(),
  account_sid: optionalSid(),
  ...columns,
})

/** Accepted because clients send whole records back; ignored. */
const ignoredField = z.unknown().optional()

export const userChangesSchema = z.strictObject({
  name: name(255).optional(),
  // not validated here: a stored address that is invalid or empty must not block other changes
  email: text(255).trim().optional(),
  email_activation_code: text(16).nullish(),
  /**
   * A password that another user sets. Users who set their own also send `old_password`. null and '' leave it
   * unchanged.
   */
  initial_password: passwordText().nullish(),
  old_password: passwordText().optional(),
  new_password: passwordText().optional(),
  service_provider_sid: unchangedSid(),
  account_sid: unchangedSid(),
  ...columns,
  user_sid: z.never('primary key user_sid is immutable').optional(),
  scope: ignoredField,
  pending_email: ignoredField,
  phone: ignoredField,
  provider: ignoredField,
  provider_userid: ignoredField,
  email_validated: ignoredField,
  phone_validated: ignoredField,
  email_content_opt_out: ignoredField,
})

/** The response to a create request. Unlike other kinds, it names the SID `user_sid`. */
export const createdUserSchema = z.object({ user_sid: z.string() })

export type User = z.output<typeof userSchema>
export type UserRecord = z.output<typeof userRecordSchema>
export type UserDraft = z.input<typeof userDraftSchema>
export type UserChanges = z.input<typeof userChangesSchema>
