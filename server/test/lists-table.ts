import type { ActorName, TestData } from './test-data'

type Refusal = { status: number; body: unknown }

export interface ListCase {
  path: string
  query?: (testData: TestData) => string
  /** The column that identifies a row. */
  keyColumn: string
  /** The owners of the records that each actor sees, or the refusal. */
  visibleOwners: Record<ActorName, string | Refusal>
  /** Pages contain more rows than the array for older clients. */
  pageShowsMore?: true
}

const permissionsRefusal: Refusal = { status: 403, body: { msg: 'insufficient permissions' } }
const privilegesMessage = 'insufficient privileges'
const tenantRefusal: Refusal = {
  status: 403,
  body: { status: 'fail', message: privilegesMessage, msg: privilegesMessage },
}
const speechRefusal: Refusal = { status: 403, body: { msg: 'Insufficient privileges' } }
const tenants = { admin: 'acme bolt corp', north: 'acme bolt', south: 'corp', acme: 'acme', bolt: 'bolt', corp: 'corp' }
/** Records of the provider north. */
const northRecords = { ...tenants, admin: 'acme bolt', south: permissionsRefusal, corp: permissionsRefusal }
/** Records of the account acme. */
const acmeRecords = {
  admin: 'acme',
  north: 'acme',
  acme: 'acme',
  south: permissionsRefusal,
  bolt: permissionsRefusal,
  corp: permissionsRefusal,
}

/** Every list, and the owners of the records that each actor sees in it. */
export const listCases: ListCase[] = [
  {
    path: '/ServiceProviders',
    keyColumn: 'service_provider_sid',
    visibleOwners: {
      admin: 'north south',
      north: 'north',
      south: 'south',
      acme: 'north',
      bolt: 'north',
      corp: 'south',
    },
  },
  { path: '/Accounts', keyColumn: 'account_sid', visibleOwners: tenants },
  {
    path: '/Users',
    keyColumn: 'user_sid',
    visibleOwners: {
      admin: 'admin north south acme bolt corp',
      north: 'north acme bolt',
      south: 'south corp',
      acme: 'acme',
      bolt: 'bolt',
      corp: 'corp',
    },
  },
  { path: '/ServiceProviders/:service_provider_sid/Accounts', keyColumn: 'account_sid', visibleOwners: northRecords },
  { path: '/Applications', keyColumn: 'application_sid', visibleOwners: tenants },
  { path: '/Accounts/:account_sid/Applications', keyColumn: 'application_sid', visibleOwners: acmeRecords },
  {
    path: '/ServiceProviders/:service_provider_sid/Applications',
    keyColumn: 'application_sid',
    visibleOwners: northRecords,
  },
  {
    path: '/Lcrs',
    keyColumn: 'lcr_sid',
    visibleOwners: { admin: 'acme bolt corp', north: '', south: '', acme: 'acme', bolt: 'bolt', corp: 'corp' },
  },
  { path: '/Clients', keyColumn: 'client_sid', visibleOwners: tenants },
  { path: '/MicrosoftTeamsTenants', keyColumn: 'ms_teams_tenant_sid', visibleOwners: tenants },
  { path: '/PhoneNumbers', keyColumn: 'phone_number_sid', visibleOwners: tenants },
  {
    path: '/ServiceProviders/:service_provider_sid/PhoneNumbers',
    keyColumn: 'phone_number_sid',
    visibleOwners: northRecords,
  },
  {
    path: '/VoipCarriers',
    keyColumn: 'voip_carrier_sid',
    visibleOwners: {
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
    keyColumn: 'voip_carrier_sid',
    visibleOwners: {
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
    keyColumn: 'voip_carrier_sid',
    visibleOwners: {
      admin: 'acme bolt north',
      north: 'acme bolt north',
      south: permissionsRefusal,
      acme: 'acme north',
      bolt: 'bolt north',
      corp: permissionsRefusal,
    },
  },
  { path: '/Accounts/:account_sid/VoipCarriers', keyColumn: 'voip_carrier_sid', visibleOwners: acmeRecords },
  {
    path: '/Accounts/:account_sid/SpeechCredentials',
    keyColumn: 'speech_credential_sid',
    visibleOwners: {
      admin: 'acme north',
      north: 'acme north',
      acme: 'acme north',
      south: tenantRefusal,
      bolt: tenantRefusal,
      corp: tenantRefusal,
    },
  },
  // Most arrays omit records of accounts; these do not.
  {
    path: '/ServiceProviders/:service_provider_sid/SpeechCredentials',
    keyColumn: 'speech_credential_sid',
    visibleOwners: {
      admin: 'north',
      north: 'north',
      acme: 'acme north',
      bolt: 'bolt north',
      south: speechRefusal,
      corp: speechRefusal,
    },
    pageShowsMore: true,
  },
  { path: '/Accounts/:account_sid/ApiKeys', keyColumn: 'api_key_sid', visibleOwners: acmeRecords },
  {
    path: '/ServiceProviders/:service_provider_sid/ApiKeys',
    keyColumn: 'api_key_sid',
    visibleOwners: {
      admin: 'north',
      north: 'north',
      south: permissionsRefusal,
      acme: '',
      bolt: '',
      corp: permissionsRefusal,
    },
  },
]
