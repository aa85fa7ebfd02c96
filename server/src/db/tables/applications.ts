import { datetime, flag, int, oneOf, sid, table, text, varchar } from '../columns'

export const applications = table(
  'applications',
  {
    application_sid: sid().primary(),
    name: varchar(64),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    account_sid: sid().nullable().references('accounts.account_sid'),
    call_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    call_status_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    messaging_hook_sid: sid().nullable().references('webhooks.webhook_sid'),
    app_json: text().nullable(),
    speech_synthesis_vendor: varchar(64).default('google'),
    speech_synthesis_language: varchar(12).default('en-US'),
    speech_synthesis_voice: varchar(256).nullable().default('en-US-Standard-C'),
    speech_synthesis_label: varchar(64).nullable(),
    speech_recognizer_vendor: varchar(64).default('google'),
    speech_recognizer_language: varchar(64).default('en-US'),
    speech_recognizer_label: varchar(64).nullable(),
    use_for_fallback_speech: flag().nullable().default(0),
    fallback_speech_synthesis_vendor: varchar(64).nullable(),
    fallback_speech_synthesis_language: varchar(12).nullable(),
    fallback_speech_synthesis_voice: varchar(256).nullable(),
    fallback_speech_synthesis_label: varchar(64).nullable(),
    fallback_speech_recognizer_vendor: varchar(64).nullable(),
    fallback_speech_recognizer_language: varchar(64).nullable(),
    fallback_speech_recognizer_label: varchar(64).nullable(),
    env_vars: text().nullable(),
    created_at: datetime().defaultNow(),
    record_all_calls: flag().default(0),
  },
  {
    indexes: {
      application_sid_idx: ['application_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
      account_sid_idx: ['account_sid'],
    },
    unique: { applications_idx_name: ['account_sid', 'name'] },
  },
)

export const webhooks = table(
  'webhooks',
  {
    webhook_sid: sid().primary(),
    url: varchar(1024),
    method: oneOf('GET', 'POST').default('POST'),
    username: varchar(255).nullable(),
    password: varchar(255).caseSensitive().nullable(),
  },
  { indexes: { webhook_sid_idx: ['webhook_sid'] } },
)

export const phoneNumbers = table(
  'phone_numbers',
  {
    phone_number_sid: sid().primary(),
    number: varchar(132),
    voip_carrier_sid: sid().nullable().references('voip_carriers.voip_carrier_sid'),
    account_sid: sid().nullable().references('accounts.account_sid'),
    application_sid: sid().nullable().references('applications.application_sid'),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
  },
  {
    indexes: {
      phone_number_sid_idx: ['phone_number_sid'],
      number_idx: ['number'],
      voip_carrier_sid_idx: ['voip_carrier_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
    },
    unique: { phone_numbers_unique_idx_voip_carrier_number: ['number', 'voip_carrier_sid'] },
  },
)

export const clients = table(
  'clients',
  {
    client_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid'),
    is_active: flag().default(1),
    username: varchar(64).nullable(),
    password: varchar(1024).caseSensitive().nullable(),
    allow_direct_app_calling: flag().default(1),
    allow_direct_queue_calling: flag().default(1),
    allow_direct_user_calling: flag().default(1),
  },
  { indexes: { client_sid_idx: ['client_sid'] } },
)

export const callRoutes = table(
  'call_routes',
  {
    call_route_sid: sid().primary(),
    priority: int(),
    account_sid: sid().references('accounts.account_sid'),
    regex: varchar(255),
    application_sid: sid().references('applications.application_sid'),
  },
  { indexes: { call_route_sid_idx: ['call_route_sid'] } },
)

export const msTeamsTenants = table(
  'ms_teams_tenants',
  {
    ms_teams_tenant_sid: sid().primary(),
    service_provider_sid: sid().references('service_providers.service_provider_sid'),
    account_sid: sid().references('accounts.account_sid'),
    application_sid: sid().nullable().references('applications.application_sid'),
    tenant_fqdn: varchar(255).unique(),
  },
  { indexes: { ms_teams_tenant_sid_idx: ['ms_teams_tenant_sid'], tenant_fqdn_idx: ['tenant_fqdn'] } },
)

export const dnsRecords = table(
  'dns_records',
  {
    dns_record_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid'),
    record_type: varchar(6),
    record_id: int(),
  },
  { indexes: { dns_record_sid_idx: ['dns_record_sid'] } },
)
