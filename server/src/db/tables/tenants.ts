import { datetime, flag, int, oneOf, sid, table, timestamp, varbinary, varchar } from '../columns'

export const serviceProviders = table(
  'service_providers',
  {
    service_provider_sid: sid().primary(),
    name: varchar(64).unique(),
    description: varchar(255).nullable(),
    root_domain: varchar(128).nullable().unique(),
    registration_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    ms_teams_fqdn: varchar(255).nullable(),
  },
  {
    indexes: {
      service_provider_sid_idx: ['service_provider_sid'],
      name_idx: ['name'],
      root_domain_idx: ['root_domain'],
    },
  },
)

export const accounts = table(
  'accounts',
  {
    account_sid: sid().primary(),
    name: varchar(64),
    sip_realm: varchar(132).nullable().unique(),
    service_provider_sid: sid().references('service_providers.service_provider_sid'),
    registration_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    queue_event_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    device_calling_application_sid: sid().nullable().references('applications.application_sid'),
    is_active: flag().default(1),
    created_at: datetime().defaultNow(),
    plan_type: oneOf('trial', 'free', 'paid').default('trial'),
    stripe_customer_id: varchar(56).caseSensitive().nullable(),
    webhook_secret: varchar(36).caseSensitive(),
    disable_cdrs: flag().default(0),
    trial_end_date: datetime().nullable(),
    deactivated_reason: varchar(255).nullable(),
    device_to_call_ratio: int().default(5),
    subspace_client_id: varchar(255).nullable(),
    subspace_client_secret: varchar(255).caseSensitive().nullable(),
    subspace_sip_teleport_id: varchar(255).nullable(),
    subspace_sip_teleport_destinations: varchar(255).nullable(),
    siprec_hook_sid: sid().nullable().references('applications.application_sid'),
    record_all_calls: flag().default(0),
    record_format: varchar(16).default('mp3'),
    bucket_credential: varchar(8192).caseSensitive().nullable(),
    enable_debug_log: flag().default(0),
  },
  {
    indexes: {
      account_sid_idx: ['account_sid'],
      sip_realm_idx: ['sip_realm'],
      service_provider_sid_idx: ['service_provider_sid'],
    },
  },
)

export const serviceProviderLimits = table(
  'service_provider_limits',
  {
    service_provider_limits_sid: sid().primary(),
    service_provider_sid: sid().references('service_providers.service_provider_sid', 'cascade'),
    category: oneOf(
      'api_rate',
      'voice_call_session',
      'device',
      'voice_call_minutes',
      'voice_call_session_license',
      'voice_call_minutes_license',
    ),
    quantity: int(),
  },
  { indexes: { service_provider_sid_idx: ['service_provider_sid'] } },
)

export const accountLimits = table(
  'account_limits',
  {
    account_limits_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid', 'cascade'),
    category: oneOf(
      'api_rate',
      'voice_call_session',
      'device',
      'voice_call_minutes',
      'voice_call_session_license',
      'voice_call_minutes_license',
    ),
    quantity: int(),
  },
  { indexes: { account_sid_idx: ['account_sid'] } },
)

export const apiKeys = table(
  'api_keys',
  {
    api_key_sid: sid().primary(),
    token: sid().unique(),
    account_sid: sid().nullable().references('accounts.account_sid'),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    expires_at: timestamp().nullable(),
    last_used: timestamp().nullable(),
    created_at: timestamp().nullable().defaultNow(),
  },
  {
    indexes: {
      api_key_sid_idx: ['api_key_sid'],
      account_sid_idx: ['account_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
    },
  },
)

export const accountStaticIps = table(
  'account_static_ips',
  {
    account_static_ip_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid'),
    public_ipv4: varchar(16).unique(),
    private_ipv4: varbinary(16).unique(),
  },
  { indexes: { account_static_ip_sid_idx: ['account_static_ip_sid'], account_sid_idx: ['account_sid'] } },
)
