import { randomInt, randomUUID } from 'node:crypto'
import type { ActorName, World } from './world'

/** What a call answers: 'ok' for the success that the contract gives it, or a refusal to the letter. */
export type Answer = 'ok' | { status: number; body?: unknown }

export interface Row {
  /** `METHOD /path/with/:params`, as the contract has it. */
  call: string
  /** What the parameters, the query and the body are; by default they name acme's records. */
  params?: (world: World) => Record<string, string>
  query?: (world: World) => string
  body?: (world: World) => unknown
  /** Makes a record of acme that the next success may destroy, and answers its sid for the last parameter. */
  victim?: { path: string; body: (world: World) => object }
  answers: Record<ActorName, Answer>
  /** Where an API key is answered otherwise than a user. */
  keys?: Partial<Record<ActorName, Answer>>
}

const json = (status: number, msg: string, field?: string): Answer => ({
  status,
  body: { msg, ...(field ? { field } : {}) },
})
const empty = (status: number): Answer => ({ status })
const text = (status: number): Answer => ({ status, body: { 403: 'Forbidden', 404: 'Not Found' }[status] })
const permissions = json(403, 'insufficient permissions')
const privileges = json(403, 'insufficient privileges')
const stop = 'insufficient privileges'
const gate: Answer = { status: 403, body: { status: 'fail', message: stop, msg: stop } }
const notThisProvider = json(403, 'insufficient permissions to update service provider')
const otherCarrier = json(422, 'carrier belongs to a different user')

type Foreign = [south: Answer, bolt: Answer, corp: Answer]
/** The administrator, the owner's provider and the owner; then the other provider, a sibling and a stranger. */
const owners = (...[south, bolt, corp]: Foreign) =>
  ({ admin: 'ok', north: 'ok', acme: 'ok', south, bolt, corp }) as Row['answers']
const foreign = (answer: Answer): Foreign => [answer, answer, answer]
const providers = (answer: Answer): Row['answers'] => ({ ...owners(...foreign(answer)), acme: answer })
const onlyAdmin = (answer: Answer): Row['answers'] => ({ ...providers(answer), north: answer })
/** Those of the provider and its accounts. */
const underProvider = (answer: Answer): Row['answers'] => ({ ...owners(answer, 'ok', answer) })
const anyone = owners('ok', 'ok', 'ok')
const nobody = (answer: Answer): Row['answers'] => ({ ...onlyAdmin(answer), admin: answer })

const name = () => ({ name: `thing ${randomUUID()}` })
const ofAcme = (world: World) => ({ ...name(), account_sid: world.acme.account })
const hook = { url: 'https://example.com/hook' }
const anApplication = (world: World) => ({ ...ofAcme(world), call_hook: hook, call_status_hook: hook })
const aNumber = (world: World) => ({ number: `1999${randomInt(1e9)}`, account_sid: world.acme.account })
const anSmppGateway = (voip_carrier_sid: string) => ({ voip_carrier_sid, ipv4: 'smpp.example.com' })
const ownOnly = (answer: Answer): Row['answers'] => ({ ...onlyAdmin(answer), acme: 'ok' })
const unknownTable = json(400, 'unknown lcr_sid')
const aRoute = ({ acme }: World) => ({ lcr_sid: acme.lcr, regex: '44', priority: 3 })
const anEntry = ({ acme }: World) => ({ lcr_route_sid: acme.lcr_route, voip_carrier_sid: acme.voip_carrier })
const aClient = (world: World) => ({ username: `desk-${randomUUID()}`, account_sid: world.acme.account })
const aTenant = (world: World) => ({
  tenant_fqdn: `${randomUUID()}.example.com`,
  account_sid: world.acme.account,
  service_provider_sid: world.providers.north,
})
const aGateway = (voip_carrier_sid: string) => ({ voip_carrier_sid, ipv4: '203.0.113.7', inbound: 1, outbound: 0 })
const aNobody = () => {
  const { name: each } = name()
  return { name: each, email: `${each.replace(' ', '.')}@example.com`, initial_password: 'Correct-horse-2' }
}
const aUser = (world: World) => ({ ...aNobody(), account_sid: world.acme.account })
const unknownAccount = json(400, 'unknown account_sid', 'account_sid')
const nothing = json(400, 'no updates requested')
const shared = (world: World) => world.shared.north
const aLimit = () => ({ category: 'voice_call_session', quantity: 5 })
const anSbc = () => ({ ipv4: `203.0.113.${randomInt(250)}` })

/** Who gets what, for every call there is. The target lies in acme, an account of north, unless the row says otherwise. */
export const access: Row[] = [
  { call: 'GET /Abilities', answers: anyone },
  {
    call: 'GET /Users/me',
    answers: anyone,
    keys: Object.fromEntries(Object.keys(anyone).map((each) => [each, text(403)])),
  },
  { call: 'GET /Users/:user_sid', answers: owners(...foreign(permissions)) },
  {
    call: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    answers: providers(permissions),
  },
  {
    call: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    answers: onlyAdmin(permissions),
  },
  // An account's own sid is put over whatever it sends; another provider's account looks like none.
  { call: 'POST /Users', body: aUser, answers: owners(unknownAccount, 'ok', 'ok') },
  // Who has a tenant adds to it alone.
  { call: 'POST /Users', body: aNobody, answers: anyone },
  { call: 'PUT /Users/:user_sid', body: () => ({ force_change: 0 }), answers: owners(...foreign(text(403))) },
  {
    call: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    body: () => ({ force_change: 0 }),
    answers: providers(text(403)),
  },
  {
    call: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    body: () => ({ force_change: 0 }),
    answers: onlyAdmin(text(403)),
  },
  // Nothing to change is told only to those who might change something.
  {
    call: 'PUT /Users/:user_sid',
    body: () => ({}),
    answers: {
      ...owners(...foreign(text(403))),
      admin: nothing,
      north: nothing,
      acme: nothing,
    },
  },
  {
    call: 'DELETE /Users/:user_sid',
    victim: { path: '/Users', body: aUser },
    answers: owners(...foreign(permissions)),
  },
  {
    call: 'DELETE /Users/:user_sid',
    victim: {
      path: '/Users',
      body: (world) => ({ ...aNobody(), service_provider_sid: world.providers.north }),
    },
    answers: providers(permissions),
  },
  { call: 'DELETE /Users/:user_sid', victim: { path: '/Users', body: aNobody }, answers: onlyAdmin(permissions) },
  { call: 'GET /PasswordSettings', answers: anyone },
  { call: 'POST /PasswordSettings', body: () => ({ require_digit: 0 }), answers: onlyAdmin(text(403)) },

  { call: 'GET /SystemInformation', answers: onlyAdmin(gate) },
  { call: 'POST /SystemInformation', body: () => ({ log_level: 'info' }), answers: onlyAdmin(gate) },
  { call: 'GET /TtsCache', answers: onlyAdmin(gate) },
  { call: 'DELETE /TtsCache', answers: onlyAdmin(gate) },
  { call: 'GET /Accounts/:account_sid/TtsCache', answers: owners(...foreign(gate)) },
  { call: 'DELETE /Accounts/:account_sid/TtsCache', answers: owners(...foreign(gate)) },

  { call: 'GET /Accounts/:account_sid/Limits', answers: owners(...foreign(gate)) },
  // An account does not raise its own limits.
  { call: 'POST /Accounts/:account_sid/Limits', body: aLimit, answers: providers(gate) },
  { call: 'DELETE /Accounts/:account_sid/Limits', answers: providers(gate) },
  { call: 'GET /ServiceProviders/:service_provider_sid/Limits', answers: providers(gate) },
  { call: 'POST /ServiceProviders/:service_provider_sid/Limits', body: aLimit, answers: providers(gate) },
  { call: 'DELETE /ServiceProviders/:service_provider_sid/Limits', answers: providers(gate) },

  { call: 'GET /ServiceProviders/:service_provider_sid', answers: underProvider(permissions) },
  {
    call: 'POST /ServiceProviders',
    body: name,
    answers: onlyAdmin(json(403, 'only admin users can add a service provider')),
  },
  {
    call: 'PUT /ServiceProviders/:service_provider_sid',
    body: () => ({ description: 'x' }),
    answers: providers(notThisProvider),
  },
  {
    call: 'DELETE /ServiceProviders/:service_provider_sid',
    victim: { path: '/ServiceProviders', body: name },
    answers: onlyAdmin(json(403, 'only admin users can delete a service provider')),
  },

  { call: 'GET /Accounts/:account_sid', answers: owners(...foreign(permissions)) },
  {
    call: 'POST /Accounts',
    body: ({ providers }) => ({ ...name(), service_provider_sid: providers.north }),
    answers: { ...providers(permissions), south: 'ok' },
  },
  {
    call: 'PUT /Accounts/:account_sid',
    body: () => ({ record_format: 'wav' }),
    answers: owners(...foreign(permissions)),
  },
  {
    call: 'DELETE /Accounts/:account_sid',
    victim: { path: '/Accounts', body: ({ providers }) => ({ ...name(), service_provider_sid: providers.north }) },
    // The victim is a sibling of acme; how an account deletes itself is told with the accounts.
    answers: providers(permissions),
  },
  { call: 'GET /Accounts/:account_sid/WebhookSecret', answers: owners(...foreign(permissions)) },
  {
    call: 'GET /Accounts/:account_sid/WebhookSecret',
    query: () => '?regenerate=true',
    answers: owners(...foreign(permissions)),
  },

  {
    call: 'POST /Accounts/:account_sid/BucketCredentialTest',
    body: () => ({ vendor: 'none' }),
    answers: owners(...foreign(permissions)),
  },

  {
    call: 'POST /ApiKeys',
    body: ({ acme }) => ({ account_sid: acme.account }),
    answers: owners(
      json(400, 'a service provider token can only be used to create tokens for the same service provider'),
      json(400, 'an account level token can only be used to create account level tokens for the same account'),
      json(400, 'an account level token can only be used to create account level tokens for the same account'),
    ),
  },
  {
    call: 'DELETE /ApiKeys/:api_key_sid',
    victim: { path: '/ApiKeys', body: ({ acme }) => ({ account_sid: acme.account }) },
    answers: owners(
      json(400, 'a service provider user may not delete api key from another service provider'),
      json(400, 'a user may not delete a token associated with a different account'),
      json(400, 'a user may not delete a token associated with a different account'),
    ),
  },

  // Who asks does not matter, but where the question would go.
  {
    call: 'GET /AppEnv',
    query: () => '?url=http://10.0.0.1/call',
    answers: nobody(json(400, 'url leads to an address that must not be asked', 'url')),
  },
  { call: 'GET /Applications/:application_sid', answers: owners(...foreign(empty(404))) },
  // An account's own sid is put over whatever it sends.
  { call: 'POST /Applications', body: anApplication, answers: owners(privileges, 'ok', 'ok') },
  {
    call: 'PUT /Applications/:application_sid',
    body: () => ({ record_all_calls: 1 }),
    answers: owners(permissions, privileges, privileges),
  },
  {
    call: 'DELETE /Applications/:application_sid',
    victim: { path: '/Applications', body: anApplication },
    answers: owners(permissions, json(422, 'insufficient permissions'), json(422, 'insufficient permissions')),
  },

  { call: 'GET /VoipCarriers/:voip_carrier_sid', answers: owners(...foreign(json(400, stop))) },
  {
    call: 'GET /VoipCarriers/:voip_carrier_sid',
    params: (world) => ({ voip_carrier_sid: shared(world).voip_carrier }),
    answers: providers(json(400, stop)),
  },
  {
    call: 'POST /VoipCarriers',
    body: ofAcme,
    answers: owners(unknownAccount, 'ok', 'ok'),
  },
  {
    call: 'PUT /VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    answers: owners(text(404), otherCarrier, otherCarrier),
  },
  {
    call: 'PUT /VoipCarriers/:voip_carrier_sid',
    params: (world) => ({ voip_carrier_sid: shared(world).voip_carrier }),
    body: () => ({ description: 'x' }),
    answers: { ...providers(otherCarrier), south: text(404) },
  },
  {
    call: 'DELETE /VoipCarriers/:voip_carrier_sid',
    victim: { path: '/VoipCarriers', body: ofAcme },
    answers: owners(text(404), otherCarrier, otherCarrier),
  },
  {
    call: 'POST /ServiceProviders/:service_provider_sid/VoipCarriers',
    body: name,
    answers: providers(notThisProvider),
  },
  {
    call: 'PUT /ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    answers: providers(notThisProvider),
  },
  { call: 'POST /Accounts/:account_sid/VoipCarriers', body: name, answers: owners(...foreign(permissions)) },
  {
    call: 'PUT /Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    answers: owners(...foreign(permissions)),
  },

  {
    call: 'GET /SipGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    answers: owners(...foreign(privileges)),
  },
  {
    call: 'GET /SipGateways',
    query: (world) => `?voip_carrier_sid=${shared(world).voip_carrier}`,
    answers: underProvider(privileges),
  },
  { call: 'GET /SipGateways/:sip_gateway_sid', answers: owners(...foreign(privileges)) },
  {
    call: 'GET /SipGateways/:sip_gateway_sid',
    params: (world) => ({ sip_gateway_sid: shared(world).sip_gateway }),
    answers: underProvider(privileges),
  },
  {
    call: 'POST /SipGateways',
    body: ({ acme }) => aGateway(acme.voip_carrier),
    answers: owners(...foreign(privileges)),
  },
  { call: 'POST /SipGateways', body: (world) => aGateway(shared(world).voip_carrier), answers: providers(privileges) },
  {
    call: 'PUT /SipGateways/:sip_gateway_sid',
    body: () => ({ is_active: 1 }),
    answers: owners(...foreign(privileges)),
  },
  {
    call: 'PUT /SipGateways/:sip_gateway_sid',
    params: (world) => ({ sip_gateway_sid: shared(world).sip_gateway }),
    body: () => ({ is_active: 1 }),
    answers: providers(privileges),
  },
  {
    call: 'DELETE /SipGateways/:sip_gateway_sid',
    victim: { path: '/SipGateways', body: ({ acme }) => aGateway(acme.voip_carrier) },
    answers: owners(...foreign(privileges)),
  },

  {
    call: 'POST /ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
    answers: providers(gate),
  },
  { call: 'POST /Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid', answers: owners(...foreign(gate)) },

  { call: 'GET /Sbcs', answers: anyone },
  { call: 'POST /Sbcs', body: anSbc, answers: onlyAdmin(privileges) },
  { call: 'DELETE /Sbcs/:sbc_address_sid', victim: { path: '/Sbcs', body: anSbc }, answers: onlyAdmin(privileges) },

  { call: 'GET /PhoneNumbers/:phone_number_sid', answers: owners(json(400, stop), empty(404), empty(404)) },
  { call: 'POST /PhoneNumbers', body: aNumber, answers: owners(privileges, 'ok', 'ok') },
  { call: 'PUT /PhoneNumbers/:phone_number_sid', body: () => ({}), answers: owners(...foreign(privileges)) },
  {
    call: 'PUT /PhoneNumbers',
    body: ({ acme }) => ({ phone_number_sids: [acme.phone_number], application_sid: acme.application }),
    answers: owners(...foreign(json(400, 'unknown phone_number_sid', 'phone_number_sids'))),
  },
  {
    call: 'DELETE /PhoneNumbers/:phone_number_sid',
    victim: { path: '/PhoneNumbers', body: aNumber },
    answers: owners(text(404), privileges, privileges),
  },

  {
    call: 'GET /SmppGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    answers: owners(...foreign(privileges)),
  },
  { call: 'GET /SmppGateways/:smpp_gateway_sid', answers: owners(...foreign(privileges)) },
  {
    call: 'POST /SmppGateways',
    body: ({ acme }) => anSmppGateway(acme.voip_carrier),
    answers: owners(...foreign(privileges)),
  },
  // What a provider keeps for all its accounts is theirs to read and not to change.
  {
    call: 'POST /SmppGateways',
    body: (world) => anSmppGateway(shared(world).voip_carrier),
    answers: providers(privileges),
  },
  {
    call: 'PUT /SmppGateways/:smpp_gateway_sid',
    body: () => ({ is_primary: 1 }),
    answers: owners(...foreign(privileges)),
  },
  {
    call: 'DELETE /SmppGateways/:smpp_gateway_sid',
    victim: { path: '/SmppGateways', body: ({ acme }) => anSmppGateway(acme.voip_carrier) },
    answers: owners(...foreign(privileges)),
  },

  { call: 'GET /Smpps', answers: anyone },
  { call: 'POST /Smpps', body: anSbc, answers: onlyAdmin(privileges) },
  { call: 'DELETE /Smpps/:smpp_address_sid', victim: { path: '/Smpps', body: anSbc }, answers: onlyAdmin(privileges) },

  // An account's table is the account's alone; its provider does not see it.
  { call: 'GET /Lcrs/:lcr_sid', answers: ownOnly(text(404)) },
  { call: 'PUT /Lcrs/:lcr_sid', body: () => ({ is_active: 1 }), answers: ownOnly(unknownTable) },
  {
    call: 'POST /Lcrs',
    body: ({ acme }) => ({ account_sid: acme.account }),
    answers: nobody(json(400, 'missing field name', 'name')),
  },
  { call: 'POST /Lcrs/:lcr_sid/Routes', body: () => [], answers: ownOnly(text(404)) },
  { call: 'PUT /Lcrs/:lcr_sid/Routes', body: () => [], answers: ownOnly(text(404)) },
  {
    call: 'DELETE /Lcrs/:lcr_sid',
    params: () => ({ lcr_sid: 'none' }),
    answers: { ...nobody(unknownTable), admin: text(404), north: text(404), south: text(404) },
  },
  {
    call: 'GET /LcrRoutes',
    query: ({ acme }) => `?lcr_sid=${acme.lcr}`,
    answers: ownOnly(json(400, 'unknown lcr_sid', 'lcr_sid')),
  },
  { call: 'GET /LcrRoutes/:lcr_route_sid', answers: ownOnly(text(404)) },
  { call: 'POST /LcrRoutes', body: aRoute, answers: ownOnly(json(400, 'unknown lcr_sid', 'lcr_sid')) },
  { call: 'PUT /LcrRoutes/:lcr_route_sid', body: () => ({ priority: 0 }), answers: ownOnly(text(404)) },
  {
    call: 'DELETE /LcrRoutes/:lcr_route_sid',
    victim: { path: '/LcrRoutes', body: aRoute },
    answers: ownOnly(text(404)),
  },
  {
    call: 'GET /LcrCarrierSetEntries',
    query: ({ acme }) => `?lcr_route_sid=${acme.lcr_route}`,
    answers: ownOnly(json(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  {
    call: 'POST /LcrCarrierSetEntries',
    body: anEntry,
    answers: ownOnly(json(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    call: `${method} /LcrCarrierSetEntries/:lcr_carrier_set_entry_sid`,
    victim: { path: '/LcrCarrierSetEntries', body: anEntry },
    ...(method === 'PUT' ? { body: () => ({ priority: 1 }) } : {}),
    answers: ownOnly(text(404)),
  })),

  { call: 'GET /Clients/:client_sid', answers: owners(...foreign(text(404))) },
  { call: 'POST /Clients', body: aClient, answers: owners(permissions, 'ok', 'ok') },
  { call: 'PUT /Clients/:client_sid', body: () => ({ is_active: 1 }), answers: owners(...foreign(text(404))) },
  {
    call: 'DELETE /Clients/:client_sid',
    victim: { path: '/Clients', body: aClient },
    answers: owners(...foreign(text(404))),
  },

  { call: 'GET /MicrosoftTeamsTenants/:ms_teams_tenant_sid', answers: owners(...foreign(text(404))) },
  { call: 'POST /MicrosoftTeamsTenants', body: aTenant, answers: owners(privileges, 'ok', 'ok') },
  {
    call: 'PUT /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    body: () => ({ application_sid: null }),
    answers: owners(...foreign(text(404))),
  },
  {
    call: 'DELETE /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    victim: { path: '/MicrosoftTeamsTenants', body: aTenant },
    answers: owners(...foreign(text(404))),
  },
]
