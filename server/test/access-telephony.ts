import {
  json,
  empty,
  text,
  permissions,
  privileges,
  stop,
  gate,
  notThisProvider,
  otherCarrier,
  owners,
  foreign,
  providers,
  onlyAdmin,
  underProvider,
  allowed,
  anonymous,
  ownOnly,
  unknownTable,
  unknownAccount,
  type Row,
} from './access-answers'
import { calls } from './access-calls'
import {
  name,
  ofAcme,
  aNumber,
  anSmppGateway,
  aRoute,
  anEntry,
  aClient,
  aTenant,
  aGateway,
  shared,
  anSbc,
} from './access-drafts'

/** Access to carriers, phone numbers, LCRs and SIP clients. */
export const telephony: Row[] = [
  { call: 'GET /VoipCarriers/:voip_carrier_sid', responses: owners(...foreign(json(400, stop))) },
  {
    call: 'GET /VoipCarriers/:voip_carrier_sid',
    params: (world) => ({ voip_carrier_sid: shared(world).voip_carrier }),
    responses: providers(json(400, stop)),
  },
  {
    call: 'POST /VoipCarriers',
    body: ofAcme,
    responses: owners(unknownAccount, 'ok', 'ok'),
  },
  {
    call: 'PUT /VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: owners(text(404), otherCarrier, otherCarrier),
  },
  {
    call: 'PUT /VoipCarriers/:voip_carrier_sid',
    params: (world) => ({ voip_carrier_sid: shared(world).voip_carrier }),
    body: () => ({ description: 'x' }),
    responses: { ...providers(otherCarrier), south: text(404) },
  },
  {
    call: 'DELETE /VoipCarriers/:voip_carrier_sid',
    disposableTarget: { path: '/VoipCarriers', body: ofAcme },
    responses: owners(text(404), otherCarrier, otherCarrier),
  },
  {
    call: 'POST /ServiceProviders/:service_provider_sid/VoipCarriers',
    body: name,
    responses: providers(notThisProvider),
  },
  {
    call: 'PUT /ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: providers(notThisProvider),
  },
  { call: 'POST /Accounts/:account_sid/VoipCarriers', body: name, responses: owners(...foreign(permissions)) },
  {
    call: 'PUT /Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: owners(...foreign(permissions)),
  },

  ...calls,

  {
    call: 'GET /SipGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    responses: owners(...foreign(privileges)),
  },
  {
    call: 'GET /SipGateways',
    query: (world) => `?voip_carrier_sid=${shared(world).voip_carrier}`,
    responses: underProvider(privileges),
  },
  { call: 'GET /SipGateways/:sip_gateway_sid', responses: owners(...foreign(privileges)) },
  {
    call: 'GET /SipGateways/:sip_gateway_sid',
    params: (world) => ({ sip_gateway_sid: shared(world).sip_gateway }),
    responses: underProvider(privileges),
  },
  {
    call: 'POST /SipGateways',
    body: ({ acme }) => aGateway(acme.voip_carrier),
    responses: owners(...foreign(privileges)),
  },
  {
    call: 'POST /SipGateways',
    body: (world) => aGateway(shared(world).voip_carrier),
    responses: providers(privileges),
  },
  {
    call: 'PUT /SipGateways/:sip_gateway_sid',
    body: () => ({ is_active: 1 }),
    responses: owners(...foreign(privileges)),
  },
  {
    call: 'PUT /SipGateways/:sip_gateway_sid',
    params: (world) => ({ sip_gateway_sid: shared(world).sip_gateway }),
    body: () => ({ is_active: 1 }),
    responses: providers(privileges),
  },
  {
    call: 'DELETE /SipGateways/:sip_gateway_sid',
    disposableTarget: { path: '/SipGateways', body: ({ acme }) => aGateway(acme.voip_carrier) },
    responses: owners(...foreign(privileges)),
  },

  {
    call: 'POST /ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
    responses: providers(gate),
  },
  {
    call: 'POST /Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid',
    responses: owners(...foreign(gate)),
  },

  { call: 'GET /Sbcs', responses: allowed },
  { call: 'GET /Captures', responses: onlyAdmin(privileges) },
  { call: 'POST /Sbcs', body: anSbc, responses: onlyAdmin(privileges) },
  {
    call: 'DELETE /Sbcs/:sbc_address_sid',
    disposableTarget: { path: '/Sbcs', body: anSbc },
    responses: onlyAdmin(privileges),
  },

  { call: 'GET /PhoneNumbers/:phone_number_sid', responses: owners(json(400, stop), empty(404), empty(404)) },
  { call: 'POST /PhoneNumbers', body: aNumber, responses: owners(privileges, 'ok', 'ok') },
  { call: 'PUT /PhoneNumbers/:phone_number_sid', body: () => ({}), responses: owners(...foreign(privileges)) },
  {
    call: 'PUT /PhoneNumbers',
    body: ({ acme }) => ({ phone_number_sids: [acme.phone_number], application_sid: acme.application }),
    responses: owners(...foreign(json(400, 'unknown phone_number_sid', 'phone_number_sids'))),
  },
  // Every actor may send it; refusals are reported per row.
  {
    call: 'POST /PhoneNumbers/Import',
    body: ({ acme }) => ({ rows: [{ number: '1', voip_carrier_sid: acme.voip_carrier }], write: 'nothing' }),
    responses: allowed,
  },
  {
    call: 'DELETE /PhoneNumbers/:phone_number_sid',
    disposableTarget: { path: '/PhoneNumbers', body: aNumber },
    responses: owners(text(404), privileges, privileges),
  },

  {
    call: 'GET /SmppGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    responses: owners(...foreign(privileges)),
  },
  { call: 'GET /SmppGateways/:smpp_gateway_sid', responses: owners(...foreign(privileges)) },
  {
    call: 'POST /SmppGateways',
    body: ({ acme }) => anSmppGateway(acme.voip_carrier),
    responses: owners(...foreign(privileges)),
  },
  // Accounts may read what their provider shares, and not change it.
  {
    call: 'POST /SmppGateways',
    body: (world) => anSmppGateway(shared(world).voip_carrier),
    responses: providers(privileges),
  },
  {
    call: 'PUT /SmppGateways/:smpp_gateway_sid',
    body: () => ({ is_primary: 1 }),
    responses: owners(...foreign(privileges)),
  },
  {
    call: 'DELETE /SmppGateways/:smpp_gateway_sid',
    disposableTarget: { path: '/SmppGateways', body: ({ acme }) => anSmppGateway(acme.voip_carrier) },
    responses: owners(...foreign(privileges)),
  },

  { call: 'GET /Smpps', responses: allowed },
  { call: 'POST /Smpps', body: anSbc, responses: onlyAdmin(privileges) },
  {
    call: 'DELETE /Smpps/:smpp_address_sid',
    disposableTarget: { path: '/Smpps', body: anSbc },
    responses: onlyAdmin(privileges),
  },

  // An account's LCR is invisible to its provider.
  { call: 'GET /Lcrs/:lcr_sid', responses: ownOnly(text(404)) },
  { call: 'PUT /Lcrs/:lcr_sid', body: () => ({ is_active: 1 }), responses: ownOnly(unknownTable) },
  {
    call: 'POST /Lcrs',
    body: ({ acme }) => ({ account_sid: acme.account }),
    responses: anonymous(json(400, 'missing field name', 'name')),
  },
  { call: 'POST /Lcrs/:lcr_sid/Routes', body: () => [], responses: ownOnly(text(404)) },
  { call: 'PUT /Lcrs/:lcr_sid/Routes', body: () => [], responses: ownOnly(text(404)) },
  {
    call: 'DELETE /Lcrs/:lcr_sid',
    params: () => ({ lcr_sid: 'none' }),
    responses: { ...anonymous(unknownTable), admin: text(404), north: text(404), south: text(404) },
  },
  {
    call: 'GET /LcrRoutes',
    query: ({ acme }) => `?lcr_sid=${acme.lcr}`,
    responses: ownOnly(json(400, 'unknown lcr_sid', 'lcr_sid')),
  },
  { call: 'GET /LcrRoutes/:lcr_route_sid', responses: ownOnly(text(404)) },
  { call: 'POST /LcrRoutes', body: aRoute, responses: ownOnly(json(400, 'unknown lcr_sid', 'lcr_sid')) },
  { call: 'PUT /LcrRoutes/:lcr_route_sid', body: () => ({ priority: 0 }), responses: ownOnly(text(404)) },
  {
    call: 'DELETE /LcrRoutes/:lcr_route_sid',
    disposableTarget: { path: '/LcrRoutes', body: aRoute },
    responses: ownOnly(text(404)),
  },
  {
    call: 'GET /LcrCarrierSetEntries',
    query: ({ acme }) => `?lcr_route_sid=${acme.lcr_route}`,
    responses: ownOnly(json(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  {
    call: 'POST /LcrCarrierSetEntries',
    body: anEntry,
    responses: ownOnly(json(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    call: `${method} /LcrCarrierSetEntries/:lcr_carrier_set_entry_sid`,
    disposableTarget: { path: '/LcrCarrierSetEntries', body: anEntry },
    ...(method === 'PUT' ? { body: () => ({ priority: 1 }) } : {}),
    responses: ownOnly(text(404)),
  })),

  { call: 'GET /Clients/:client_sid', responses: owners(...foreign(text(404))) },
  { call: 'POST /Clients', body: aClient, responses: owners(permissions, 'ok', 'ok') },
  { call: 'PUT /Clients/:client_sid', body: () => ({ is_active: 1 }), responses: owners(...foreign(text(404))) },
  {
    call: 'DELETE /Clients/:client_sid',
    disposableTarget: { path: '/Clients', body: aClient },
    responses: owners(...foreign(text(404))),
  },

  { call: 'GET /MicrosoftTeamsTenants/:ms_teams_tenant_sid', responses: owners(...foreign(text(404))) },
  { call: 'POST /MicrosoftTeamsTenants', body: aTenant, responses: owners(privileges, 'ok', 'ok') },
  {
    call: 'PUT /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    body: () => ({ application_sid: null }),
    responses: owners(...foreign(text(404))),
  },
  {
    call: 'DELETE /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    disposableTarget: { path: '/MicrosoftTeamsTenants', body: aTenant },
    responses: owners(...foreign(text(404))),
  },
]
