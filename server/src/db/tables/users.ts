import { char, datetime, flag, int, sid, table, varchar } from '../columns'

export const users = table(
  'users',
  {
    user_sid: sid().primary(),
    name: varchar(255),
    email: varchar(255),
    pending_email: varchar(255).nullable(),
    phone: varchar(20).nullable().unique(),
    hashed_password: varchar(1024).caseSensitive().nullable(),
    account_sid: sid().nullable().references('accounts.account_sid'),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    force_change: flag().default(0),
    provider: varchar(255),
    provider_userid: varchar(255).caseSensitive().nullable(),
    scope: varchar(16).default('read-write'),
    phone_activation_code: varchar(16).caseSensitive().nullable(),
    email_activation_code: varchar(16).caseSensitive().nullable(),
    email_validated: flag().default(0),
    phone_validated: flag().default(0),
    email_content_opt_out: flag().default(0),
    is_active: flag().default(1),
  },
  {
    indexes: {
      user_sid_idx: ['user_sid'],
      email_idx: ['email'],
      phone_idx: ['phone'],
      account_sid_idx: ['account_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
      email_activation_code_idx: ['email_activation_code'],
    },
  },
)

export const permissions = table(
  'permissions',
  {
    permission_sid: sid().primary(),
    name: varchar(32).unique(),
    description: varchar(255).nullable(),
  },
  { indexes: { permission_sid_idx: ['permission_sid'] } },
)

export const userPermissions = table(
  'user_permissions',
  {
    user_permissions_sid: sid().primary(),
    user_sid: sid().references('users.user_sid', 'cascade'),
    permission_sid: sid().references('permissions.permission_sid'),
  },
  { indexes: { user_permissions_sid_idx: ['user_permissions_sid'], user_sid_idx: ['user_sid'] } },
)

export const passwordSettings = table('password_settings', {
  min_password_length: int().default(8),
  require_digit: flag().default(0),
  require_special_character: flag().default(0),
})

export const signupHistory = table(
  'signup_history',
  {
    email: varchar(255).primary(),
    name: varchar(255).nullable(),
    signed_up_at: datetime().nullable().defaultNow(),
  },
  { indexes: { email_idx: ['email'] } },
)

export const betaInviteCodes = table(
  'beta_invite_codes',
  {
    invite_code: char(6).primary(),
    in_use: flag().default(0),
  },
  { indexes: { invite_code_idx: ['invite_code'] } },
)
