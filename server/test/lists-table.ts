import type { ActorName, World } from './world'

type Refusal = { status: number; body: unknown }

export interface List {
  path: string
  query?: (world: World) => string
  /** The column that identifies a row. */
  key: string
  /** The owners of the records that each actor sees, or the refusal. */
  sees: Record<ActorName, string | Refusal>
  /** Pages contain more rows than the array for older clients. */
  pageShowsMore?: true
}

const permissions: Refusal = { status: 403, body: { msg: 'insufficient permissions' } }
const stop = 'insufficient privileges'
const gate: Refusal = { status: 403, body: { status: 'fail', message: stop, msg: stop } }
const speech: Refusal = { status: 403, body: { msg: 'Insufficient privileges' } }
const tenants = { admin: 'acme bolt corp', north: 'acme bolt', south: 'corp', acme: 'acme', bolt: 'bolt', corp: 'corp' }
/** Records of the provider north. */
const north = { ...tenants, admin: 'acme bolt', south: permissions, corp: permissions }
/** Records of the account acme. */
const acme = { admin: 'acme', north: 'acme', acme: 'acme', south: permissions, bolt: permissions, corp: permissions }

/** Every list, and the owners of the records that each actor sees in it. */
export const lists: List[] = [
  {
    path: '/ServiceProviders',
    key: 'service_provider_sid',
    sees: { admin: 'north south', north: 'north', south: 'south', acme: 'north', bolt: 'north', corp: 'south' },
  },
  { path: '/Accounts', key: 'account_sid', sees: tenants },
  {
    path: '/Users',
    key: 'user_sid',
    sees: {
      admin: 'admin north south acme bolt corp',
      north: 'north acme bolt',
      south: 'south corp',
      acme: 'acme',
      bolt: 'bolt',
      corp: 'corp',
    },
  },
  { path: '/ServiceProviders/:service_provider_sid/Accounts', key: 'account_sid', sees: north },
  { path: '/Applications', key: 'application_sid', sees: tenants },
  { path: '/Accounts/:account_sid/Applications', key: 'application_sid', sees: acme },
  { path: '/ServiceProviders/:service_provider_sid/Applications', key: 'application_sid', sees: north },
  {
    path: '/Lcrs',
    key: 'lcr_sid',
    sees: { admin: 'acme bolt corp', north: '', south: '', acme: 'acme', bolt: 'bolt', corp: 'corp' },
  },
  { path: '/Clients', key: 'client_sid', sees: tenants },
  { path: '/MicrosoftTeamsTenants', key: 'ms_teams_tenant_sid', sees: tenants },
  { path: '/PhoneNumbers', key: 'phone_number_sid', sees: tenants },
  { path: '/ServiceProviders/:service_provider_sid/PhoneNumbers', key: 'phone_number_sid', sees: north },
  {
    path: '/VoipCarriers',
    key: 'voip_carrier_sid',
    sees: {
      admin: 'acme bolt corp north south',
      north: 'acme bolt north',
      south: 'corp south',
      acme: 'acme north',
      bolt: 'bolt north',
      corp: 'corp south',
    },
  },
  {
    path: '/VoipCarriers',
    query: ({ acme }) => `?account_sid=${acme.account}`,
    key: 'voip_carrier_sid',
    sees: {
      admin: 'acme north',
      north: 'acme north',
      south: '',
      acme: 'acme north',
      bolt: 'north',
      corp: '',
    },
  },
  {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers',
    key: 'voip_carrier_sid',
    sees: {
      admin: 'acme bolt north',
      north: 'acme bolt north',
      south: permissions,
      acme: 'acme north',
      bolt: 'bolt north',
      corp: permissions,
    },
  },
  { path: '/Accounts/:account_sid/VoipCarriers', key: 'voip_carrier_sid', sees: acme },
  {
    path: '/Accounts/:account_sid/SpeechCredentials',
    key: 'speech_credential_sid',
    sees: { admin: 'acme north', north: 'acme north', acme: 'acme north', south: gate, bolt: gate, corp: gate },
  },
  // Most arrays omit records of accounts; these do not.
  {
    path: '/ServiceProviders/:service_provider_sid/SpeechCredentials',
    key: 'speech_credential_sid',
    sees: { admin: 'north', north: 'north', acme: 'acme north', bolt: 'bolt north', south: speech, corp: speech },
    pageShowsMore: true,
  },
  { path: '/Accounts/:account_sid/ApiKeys', key: 'api_key_sid', sees: acme },
  {
    path: '/ServiceProviders/:service_provider_sid/ApiKeys',
    key: 'api_key_sid',
    sees: { admin: 'north', north: 'north', south: permissions, acme: '', bolt: '', corp: permissions },
  },
]
