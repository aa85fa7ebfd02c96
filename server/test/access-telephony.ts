import {
  jsonResponse,
  emptyResponse,
  textResponse,
  noPermissions,
  noPrivileges,
  privilegesMessage,
  tenantRefusal,
  foreignProviderRefusal,
  foreignCarrierRefusal,
  okForOwners,
  sameForForeign,
  okForProvider,
  okForAdmin,
  okUnderProvider,
  okForEveryone,
  sameForEveryone,
  okForAdminAndOwner,
  unknownLcr,
  unknownAccount,
  type AccessCase,
} from './access-responses'
import { finishedCallCases } from './access-calls'
import {
  newName,
  acmeDraft,
  phoneNumberDraft,
  smppGatewayDraft,
  lcrRouteDraft,
  lcrEntryDraft,
  clientDraft,
  msTeamsTenantDraft,
  sipGatewayDraft,
  sharedByNorth,
  addressDraft,
} from './access-drafts'

/** Access to carriers, phone numbers, LCRs and SIP clients. */
export const telephonyCases: AccessCase[] = [
  {
    route: 'GET /VoipCarriers/:voip_carrier_sid',
    responses: okForOwners(...sameForForeign(jsonResponse(400, privilegesMessage))),
  },
  {
    route: 'GET /VoipCarriers/:voip_carrier_sid',
    params: (testData) => ({ voip_carrier_sid: sharedByNorth(testData).voip_carrier }),
    responses: okForProvider(jsonResponse(400, privilegesMessage)),
  },
  {
    route: 'POST /VoipCarriers',
    body: acmeDraft,
    responses: okForOwners(unknownAccount, 'ok', 'ok'),
  },
  {
    route: 'PUT /VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: okForOwners(textResponse(404), foreignCarrierRefusal, foreignCarrierRefusal),
  },
  {
    route: 'PUT /VoipCarriers/:voip_carrier_sid',
    params: (testData) => ({ voip_carrier_sid: sharedByNorth(testData).voip_carrier }),
    body: () => ({ description: 'x' }),
    responses: { ...okForProvider(foreignCarrierRefusal), south: textResponse(404) },
  },
  {
    route: 'DELETE /VoipCarriers/:voip_carrier_sid',
    disposableTarget: { path: '/VoipCarriers', body: acmeDraft },
    responses: okForOwners(textResponse(404), foreignCarrierRefusal, foreignCarrierRefusal),
  },
  {
    route: 'POST /ServiceProviders/:service_provider_sid/VoipCarriers',
    body: newName,
    responses: okForProvider(foreignProviderRefusal),
  },
  {
    route: 'PUT /ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: okForProvider(foreignProviderRefusal),
  },
  {
    route: 'POST /Accounts/:account_sid/VoipCarriers',
    body: newName,
    responses: okForOwners(...sameForForeign(noPermissions)),
  },
  {
    route: 'PUT /Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    body: () => ({ description: 'x' }),
    responses: okForOwners(...sameForForeign(noPermissions)),
  },

  ...finishedCallCases,

  {
    route: 'GET /SipGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  {
    route: 'GET /SipGateways',
    query: (testData) => `?voip_carrier_sid=${sharedByNorth(testData).voip_carrier}`,
    responses: okUnderProvider(noPrivileges),
  },
  { route: 'GET /SipGateways/:sip_gateway_sid', responses: okForOwners(...sameForForeign(noPrivileges)) },
  {
    route: 'GET /SipGateways/:sip_gateway_sid',
    params: (testData) => ({ sip_gateway_sid: sharedByNorth(testData).sip_gateway }),
    responses: okUnderProvider(noPrivileges),
  },
  {
    route: 'POST /SipGateways',
    body: ({ acme }) => sipGatewayDraft(acme.voip_carrier),
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  {
    route: 'POST /SipGateways',
    body: (testData) => sipGatewayDraft(sharedByNorth(testData).voip_carrier),
    responses: okForProvider(noPrivileges),
  },
  {
    route: 'PUT /SipGateways/:sip_gateway_sid',
    body: () => ({ is_active: 1 }),
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  {
    route: 'PUT /SipGateways/:sip_gateway_sid',
    params: (testData) => ({ sip_gateway_sid: sharedByNorth(testData).sip_gateway }),
    body: () => ({ is_active: 1 }),
    responses: okForProvider(noPrivileges),
  },
  {
    route: 'DELETE /SipGateways/:sip_gateway_sid',
    disposableTarget: { path: '/SipGateways', body: ({ acme }) => sipGatewayDraft(acme.voip_carrier) },
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },

  {
    route: 'POST /ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
    responses: okForProvider(tenantRefusal),
  },
  {
    route: 'POST /Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid',
    responses: okForOwners(...sameForForeign(tenantRefusal)),
  },

  { route: 'GET /Sbcs', responses: okForEveryone },
  { route: 'GET /Captures', responses: okForAdmin(noPrivileges) },
  { route: 'POST /Sbcs', body: addressDraft, responses: okForAdmin(noPrivileges) },
  {
    route: 'DELETE /Sbcs/:sbc_address_sid',
    disposableTarget: { path: '/Sbcs', body: addressDraft },
    responses: okForAdmin(noPrivileges),
  },

  {
    route: 'GET /PhoneNumbers/:phone_number_sid',
    responses: okForOwners(jsonResponse(400, privilegesMessage), emptyResponse(404), emptyResponse(404)),
  },
  { route: 'POST /PhoneNumbers', body: phoneNumberDraft, responses: okForOwners(noPrivileges, 'ok', 'ok') },
  {
    route: 'PUT /PhoneNumbers/:phone_number_sid',
    body: () => ({}),
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  {
    route: 'PUT /PhoneNumbers',
    body: ({ acme }) => ({ phone_number_sids: [acme.phone_number], application_sid: acme.application }),
    responses: okForOwners(...sameForForeign(jsonResponse(400, 'unknown phone_number_sid', 'phone_number_sids'))),
  },
  // Every actor may import numbers; refusals are reported per row.
  {
    route: 'POST /PhoneNumbers/Import',
    body: ({ acme }) => ({ rows: [{ number: '1', voip_carrier_sid: acme.voip_carrier }], write: 'nothing' }),
    responses: okForEveryone,
  },
  {
    route: 'DELETE /PhoneNumbers/:phone_number_sid',
    disposableTarget: { path: '/PhoneNumbers', body: phoneNumberDraft },
    responses: okForOwners(textResponse(404), noPrivileges, noPrivileges),
  },

  {
    route: 'GET /SmppGateways',
    query: ({ acme }) => `?voip_carrier_sid=${acme.voip_carrier}`,
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  { route: 'GET /SmppGateways/:smpp_gateway_sid', responses: okForOwners(...sameForForeign(noPrivileges)) },
  {
    route: 'POST /SmppGateways',
    body: ({ acme }) => smppGatewayDraft(acme.voip_carrier),
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  // Accounts may read what their provider shares, and not change it.
  {
    route: 'POST /SmppGateways',
    body: (testData) => smppGatewayDraft(sharedByNorth(testData).voip_carrier),
    responses: okForProvider(noPrivileges),
  },
  {
    route: 'PUT /SmppGateways/:smpp_gateway_sid',
    body: () => ({ is_primary: 1 }),
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },
  {
    route: 'DELETE /SmppGateways/:smpp_gateway_sid',
    disposableTarget: { path: '/SmppGateways', body: ({ acme }) => smppGatewayDraft(acme.voip_carrier) },
    responses: okForOwners(...sameForForeign(noPrivileges)),
  },

  { route: 'GET /Smpps', responses: okForEveryone },
  { route: 'POST /Smpps', body: addressDraft, responses: okForAdmin(noPrivileges) },
  {
    route: 'DELETE /Smpps/:smpp_address_sid',
    disposableTarget: { path: '/Smpps', body: addressDraft },
    responses: okForAdmin(noPrivileges),
  },

  // An account's LCR is invisible to its provider.
  { route: 'GET /Lcrs/:lcr_sid', responses: okForAdminAndOwner(textResponse(404)) },
  { route: 'PUT /Lcrs/:lcr_sid', body: () => ({ is_active: 1 }), responses: okForAdminAndOwner(unknownLcr) },
  {
    route: 'POST /Lcrs',
    body: ({ acme }) => ({ account_sid: acme.account }),
    responses: sameForEveryone(jsonResponse(400, 'missing field name', 'name')),
  },
  { route: 'POST /Lcrs/:lcr_sid/Routes', body: () => [], responses: okForAdminAndOwner(textResponse(404)) },
  { route: 'PUT /Lcrs/:lcr_sid/Routes', body: () => [], responses: okForAdminAndOwner(textResponse(404)) },
  {
    route: 'DELETE /Lcrs/:lcr_sid',
    params: () => ({ lcr_sid: 'none' }),
    responses: {
      ...sameForEveryone(unknownLcr),
      admin: textResponse(404),
      north: textResponse(404),
      south: textResponse(404),
    },
  },
  {
    route: 'GET /LcrRoutes',
    query: ({ acme }) => `?lcr_sid=${acme.lcr}`,
    responses: okForAdminAndOwner(jsonResponse(400, 'unknown lcr_sid', 'lcr_sid')),
  },
  { route: 'GET /LcrRoutes/:lcr_route_sid', responses: okForAdminAndOwner(textResponse(404)) },
  {
    route: 'POST /LcrRoutes',
    body: lcrRouteDraft,
    responses: okForAdminAndOwner(jsonResponse(400, 'unknown lcr_sid', 'lcr_sid')),
  },
  {
    route: 'PUT /LcrRoutes/:lcr_route_sid',
    body: () => ({ priority: 0 }),
    responses: okForAdminAndOwner(textResponse(404)),
  },
  {
    route: 'DELETE /LcrRoutes/:lcr_route_sid',
    disposableTarget: { path: '/LcrRoutes', body: lcrRouteDraft },
    responses: okForAdminAndOwner(textResponse(404)),
  },
  {
    route: 'GET /LcrCarrierSetEntries',
    query: ({ acme }) => `?lcr_route_sid=${acme.lcr_route}`,
    responses: okForAdminAndOwner(jsonResponse(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  {
    route: 'POST /LcrCarrierSetEntries',
    body: lcrEntryDraft,
    responses: okForAdminAndOwner(jsonResponse(400, 'unknown lcr_route_sid', 'lcr_route_sid')),
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    route: `${method} /LcrCarrierSetEntries/:lcr_carrier_set_entry_sid`,
    disposableTarget: { path: '/LcrCarrierSetEntries', body: lcrEntryDraft },
    ...(method === 'PUT' ? { body: () => ({ priority: 1 }) } : {}),
    responses: okForAdminAndOwner(textResponse(404)),
  })),

  { route: 'GET /Clients/:client_sid', responses: okForOwners(...sameForForeign(textResponse(404))) },
  { route: 'POST /Clients', body: clientDraft, responses: okForOwners(noPermissions, 'ok', 'ok') },
  {
    route: 'PUT /Clients/:client_sid',
    body: () => ({ is_active: 1 }),
    responses: okForOwners(...sameForForeign(textResponse(404))),
  },
  {
    route: 'DELETE /Clients/:client_sid',
    disposableTarget: { path: '/Clients', body: clientDraft },
    responses: okForOwners(...sameForForeign(textResponse(404))),
  },

  {
    route: 'GET /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    responses: okForOwners(...sameForForeign(textResponse(404))),
  },
  { route: 'POST /MicrosoftTeamsTenants', body: msTeamsTenantDraft, responses: okForOwners(noPrivileges, 'ok', 'ok') },
  {
    route: 'PUT /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    body: () => ({ application_sid: null }),
    responses: okForOwners(...sameForForeign(textResponse(404))),
  },
  {
    route: 'DELETE /MicrosoftTeamsTenants/:ms_teams_tenant_sid',
    disposableTarget: { path: '/MicrosoftTeamsTenants', body: msTeamsTenantDraft },
    responses: okForOwners(...sameForForeign(textResponse(404))),
  },
]
