import type { RowOf } from './columns'
import type { trunklineMigrations, trunklineSessions } from './migrations/0002-sessions'
import type { trunklineAlerts, trunklineCalls, trunklineHourCounts } from './migrations/0004-call-history'
import type { trunklineResetLinks } from './migrations/0003-reset-links'
import type { trunklineTraceParts } from './migrations/0005-traces'
import type { trunklineCaptureParts } from './migrations/0006-captures'
import type { trunklineProgress } from './migrations/0007-call-numbers'
import type { trunklineRecordings } from './migrations/0008-recordings'
import type { trunklineEmailChanges } from './migrations/0010-email-changes'
import type { trunklinePackedCalls } from './migrations/0011-packed-calls'
import type { trunklineLoginFailures } from './migrations/0012-login-failures'
import type { trunklineUnusedWebhooks } from './migrations/0013-unused-webhooks'
import type { trunklineSecretFingerprints, trunklineUploadClaims } from './migrations/0014-replicas'
import type { trunklineApiKeyNames } from './migrations/0015-api-key-names'
import type { trunklineAttemptCounts, trunklineRegistrations } from './migrations/0016-registrations'
import type {
  trunklineLeases,
  trunklinePaymentOperations,
  trunklineStripeEvents,
  trunklineSubscriptionDetails,
} from './migrations/0017-billing'
import type { trunklineTrialReminders } from './migrations/0018-trial-reminders'
import type { trunklineIdentities } from './migrations/0019-identities'
import type { trunklineDnsRemovals } from './migrations/0020-dns-removals'
import type { trunklineSignInChanges, trunklineSignInCodes } from './migrations/0021-sign-in-changes'
import type { trunklineSavedViews } from './migrations/0022-saved-views'
import type { trunklineGroupedAlerts } from './migrations/0023-grouped-alerts'
import type {
  serviceProviders,
  accounts,
  serviceProviderLimits,
  accountLimits,
  apiKeys,
  accountStaticIps,
} from './tables/tenants'
import type {
  users,
  permissions,
  userPermissions,
  passwordSettings,
  signupHistory,
  betaInviteCodes,
} from './tables/users'
import type { products, accountSubscriptions, accountProducts, accountOffers } from './tables/billing'
import type {
  applications,
  webhooks,
  phoneNumbers,
  clients,
  callRoutes,
  msTeamsTenants,
  dnsRecords,
} from './tables/applications'
import type {
  voipCarriers,
  sipGateways,
  smppGateways,
  predefinedCarriers,
  predefinedSipGateways,
  predefinedSmppGateways,
} from './tables/carriers'
import type { lcr, lcrRoutes, lcrCarrierSetEntry } from './tables/routing'
import type { speechCredentials, googleCustomVoices } from './tables/speech'
import type { systemInformation, sbcAddresses, smppAddresses, schemaVersion } from './tables/system'

/** Every table by its SQL name. The row types are derived from the table definitions. */
export interface Tables {
  service_providers: RowOf<typeof serviceProviders>
  accounts: RowOf<typeof accounts>
  service_provider_limits: RowOf<typeof serviceProviderLimits>
  account_limits: RowOf<typeof accountLimits>
  api_keys: RowOf<typeof apiKeys>
  account_static_ips: RowOf<typeof accountStaticIps>
  users: RowOf<typeof users>
  permissions: RowOf<typeof permissions>
  user_permissions: RowOf<typeof userPermissions>
  password_settings: RowOf<typeof passwordSettings>
  signup_history: RowOf<typeof signupHistory>
  beta_invite_codes: RowOf<typeof betaInviteCodes>
  products: RowOf<typeof products>
  account_subscriptions: RowOf<typeof accountSubscriptions>
  account_products: RowOf<typeof accountProducts>
  account_offers: RowOf<typeof accountOffers>
  applications: RowOf<typeof applications>
  webhooks: RowOf<typeof webhooks>
  phone_numbers: RowOf<typeof phoneNumbers>
  clients: RowOf<typeof clients>
  call_routes: RowOf<typeof callRoutes>
  ms_teams_tenants: RowOf<typeof msTeamsTenants>
  dns_records: RowOf<typeof dnsRecords>
  voip_carriers: RowOf<typeof voipCarriers>
  sip_gateways: RowOf<typeof sipGateways>
  smpp_gateways: RowOf<typeof smppGateways>
  predefined_carriers: RowOf<typeof predefinedCarriers>
  predefined_sip_gateways: RowOf<typeof predefinedSipGateways>
  predefined_smpp_gateways: RowOf<typeof predefinedSmppGateways>
  lcr: RowOf<typeof lcr>
  lcr_routes: RowOf<typeof lcrRoutes>
  lcr_carrier_set_entry: RowOf<typeof lcrCarrierSetEntry>
  speech_credentials: RowOf<typeof speechCredentials>
  google_custom_voices: RowOf<typeof googleCustomVoices>
  system_information: RowOf<typeof systemInformation>
  sbc_addresses: RowOf<typeof sbcAddresses>
  smpp_addresses: RowOf<typeof smppAddresses>
  schema_version: RowOf<typeof schemaVersion>
  trunkline_migrations: RowOf<typeof trunklineMigrations>
  trunkline_sessions: RowOf<typeof trunklineSessions>
  trunkline_login_failures: RowOf<typeof trunklineLoginFailures>
  trunkline_reset_links: RowOf<typeof trunklineResetLinks>
  trunkline_calls: RowOf<typeof trunklineCalls>
  trunkline_alerts: RowOf<typeof trunklineAlerts>
  trunkline_hour_counts: RowOf<typeof trunklineHourCounts>
  trunkline_trace_parts: RowOf<typeof trunklineTraceParts>
  trunkline_capture_parts: RowOf<typeof trunklineCaptureParts>
  trunkline_packed_calls: RowOf<typeof trunklinePackedCalls>
  trunkline_grouped_alerts: RowOf<typeof trunklineGroupedAlerts>
  trunkline_progress: RowOf<typeof trunklineProgress>
  trunkline_recordings: RowOf<typeof trunklineRecordings>
  trunkline_api_key_names: RowOf<typeof trunklineApiKeyNames>
  trunkline_secret_fingerprints: RowOf<typeof trunklineSecretFingerprints>
  trunkline_upload_claims: RowOf<typeof trunklineUploadClaims>
  trunkline_unused_webhooks: RowOf<typeof trunklineUnusedWebhooks>
  trunkline_email_changes: RowOf<typeof trunklineEmailChanges>
  trunkline_registrations: RowOf<typeof trunklineRegistrations>
  trunkline_attempt_counts: RowOf<typeof trunklineAttemptCounts>
  trunkline_subscription_details: RowOf<typeof trunklineSubscriptionDetails>
  trunkline_payment_operations: RowOf<typeof trunklinePaymentOperations>
  trunkline_stripe_events: RowOf<typeof trunklineStripeEvents>
  trunkline_leases: RowOf<typeof trunklineLeases>
  trunkline_trial_reminders: RowOf<typeof trunklineTrialReminders>
  trunkline_identities: RowOf<typeof trunklineIdentities>
  trunkline_dns_removals: RowOf<typeof trunklineDnsRemovals>
  trunkline_sign_in_codes: RowOf<typeof trunklineSignInCodes>
  trunkline_sign_in_changes: RowOf<typeof trunklineSignInChanges>
  trunkline_saved_views: RowOf<typeof trunklineSavedViews>
}
