import {
  json,
  empty,
  text,
  permissions,
  privileges,
  gate,
  notThisProvider,
  owners,
  foreign,
  providers,
  onlyAdmin,
  underProvider,
  allowed,
  anonymous,
  unknownAccount,
  noContent,
  type Row,
} from './access-answers'
import { aHook, name, anApplication, aNobody, aUser, aLimit } from './access-drafts'
import { live } from './access-live'
import { speech } from './access-speech'
import { telephony } from './access-telephony'

/** Access to every route. The target belongs to acme, an account of north, unless the row says otherwise. */
export const access: Row[] = [
  { call: 'GET /Abilities', responses: allowed },
  { call: 'GET /Availability', query: () => '?type=email&value=x', responses: allowed },
  // Public; the requests change nothing.
  { call: 'GET /AccountTest/:service_provider_sid', responses: anonymous(text(404)) },
  { call: 'GET /Accounts/:account_sid/Charges', responses: owners(gate, gate, gate) },
  { call: 'POST /Webhooks', body: aHook, responses: allowed },
  {
    call: 'GET /Webhooks/:webhook_sid',
    disposableTarget: { path: '/Webhooks', body: aHook },
    responses: onlyAdmin(privileges),
  },
  {
    call: 'GET /Users/me',
    responses: allowed,
    keys: Object.fromEntries(Object.keys(allowed).map((each) => [each, text(403)])),
  },
  { call: 'GET /Users/:user_sid', responses: owners(...foreign(permissions)) },
  {
    call: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    responses: providers(permissions),
  },
  {
    call: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    responses: onlyAdmin(permissions),
  },
  // The account's own SID replaces the one in the body. Another provider's account looks as if it did not exist.
  { call: 'POST /Users', body: aUser, responses: owners(unknownAccount, 'ok', 'ok') },
  // Actors of a tenant can add only to that tenant.
  { call: 'POST /Users', body: aNobody, responses: allowed },
  { call: 'PUT /Users/:user_sid', body: () => ({ force_change: 0 }), responses: owners(...foreign(text(403))) },
  {
    call: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    body: () => ({ force_change: 0 }),
    responses: providers(text(403)),
  },
  {
    call: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    body: () => ({ force_change: 0 }),
    responses: onlyAdmin(text(403)),
  },
  // Only actors that may make changes get the error for an empty update.
  {
    call: 'PUT /Users/:user_sid',
    body: () => ({}),
    responses: {
      ...owners(...foreign(text(403))),
      admin: noContent,
      north: noContent,
      acme: noContent,
    },
  },
  {
    call: 'DELETE /Users/:user_sid',
    disposableTarget: { path: '/Users', body: aUser },
    responses: owners(...foreign(permissions)),
  },
  {
    call: 'DELETE /Users/:user_sid',
    disposableTarget: {
      path: '/Users',
      body: (world) => ({ ...aNobody(), service_provider_sid: world.providers.north }),
    },
    responses: providers(permissions),
  },
  {
    call: 'DELETE /Users/:user_sid',
    disposableTarget: { path: '/Users', body: aNobody },
    responses: onlyAdmin(permissions),
  },
  { call: 'GET /PasswordSettings', responses: allowed },
  { call: 'POST /PasswordSettings', body: () => ({ require_digit: 0 }), responses: onlyAdmin(text(403)) },

  { call: 'GET /SystemInformation', responses: onlyAdmin(gate) },
  { call: 'POST /SystemInformation', body: () => ({ log_level: 'info' }), responses: onlyAdmin(gate) },
  { call: 'GET /TtsCache', responses: onlyAdmin(gate) },
  { call: 'DELETE /TtsCache', responses: onlyAdmin(gate) },
  { call: 'GET /Accounts/:account_sid/TtsCache', responses: owners(...foreign(gate)) },
  { call: 'DELETE /Accounts/:account_sid/TtsCache', responses: owners(...foreign(gate)) },
  { call: 'GET /ServiceProviders/:service_provider_sid/TtsCache', responses: providers(gate) },
  { call: 'DELETE /ServiceProviders/:service_provider_sid/TtsCache', responses: providers(gate) },

  { call: 'GET /Accounts/:account_sid/Limits', responses: owners(...foreign(gate)) },
  // An account cannot change its own limits.
  { call: 'POST /Accounts/:account_sid/Limits', body: aLimit, responses: providers(gate) },
  { call: 'DELETE /Accounts/:account_sid/Limits', responses: providers(gate) },
  { call: 'GET /ServiceProviders/:service_provider_sid/Limits', responses: providers(gate) },
  { call: 'POST /ServiceProviders/:service_provider_sid/Limits', body: aLimit, responses: providers(gate) },
  { call: 'DELETE /ServiceProviders/:service_provider_sid/Limits', responses: providers(gate) },

  { call: 'GET /ServiceProviders/:service_provider_sid', responses: underProvider(permissions) },
  {
    call: 'POST /ServiceProviders',
    body: name,
    responses: onlyAdmin(json(403, 'only admin users can add a service provider')),
  },
  {
    call: 'PUT /ServiceProviders/:service_provider_sid',
    body: () => ({ description: 'x' }),
    responses: providers(notThisProvider),
  },
  {
    call: 'DELETE /ServiceProviders/:service_provider_sid',
    disposableTarget: { path: '/ServiceProviders', body: name },
    responses: onlyAdmin(json(403, 'only admin users can delete a service provider')),
  },

  { call: 'GET /Accounts/:account_sid', responses: owners(...foreign(permissions)) },
  {
    call: 'POST /Accounts',
    body: ({ providers }) => ({ ...name(), service_provider_sid: providers.north }),
    responses: { ...providers(permissions), south: 'ok' },
  },
  {
    call: 'PUT /Accounts/:account_sid',
    body: () => ({ record_format: 'wav' }),
    responses: owners(...foreign(permissions)),
  },
  {
    call: 'DELETE /Accounts/:account_sid',
    disposableTarget: {
      path: '/Accounts',
      body: ({ providers }) => ({ ...name(), service_provider_sid: providers.north }),
    },
    // The target is a sibling of acme. The tests of accounts cover how an account deletes itself.
    responses: providers(permissions),
  },
  { call: 'GET /Accounts/:account_sid/WebhookSecret', responses: owners(...foreign(permissions)) },
  {
    call: 'GET /Accounts/:account_sid/WebhookSecret',
    query: () => '?regenerate=true',
    responses: owners(...foreign(permissions)),
  },

  {
    call: 'POST /Accounts/:account_sid/BucketCredentialTest',
    body: () => ({ vendor: 'none' }),
    responses: owners(...foreign(permissions)),
  },

  {
    call: 'POST /ApiKeys',
    body: ({ acme }) => ({ account_sid: acme.account }),
    responses: owners(
      json(400, 'a service provider token can only be used to create tokens for the same service provider'),
      json(400, 'an account level token can only be used to create account level tokens for the same account'),
      json(400, 'an account level token can only be used to create account level tokens for the same account'),
    ),
  },
  {
    call: 'DELETE /ApiKeys/:api_key_sid',
    disposableTarget: { path: '/ApiKeys', body: ({ acme }) => ({ account_sid: acme.account }) },
    responses: owners(
      json(400, 'a service provider user may not delete api key from another service provider'),
      json(400, 'a user may not delete a token associated with a different account'),
      json(400, 'a user may not delete a token associated with a different account'),
    ),
  },

  // The response depends on the target URL, not on the actor.
  {
    call: 'GET /AppEnv',
    query: () => '?url=http://10.0.0.1/call',
    responses: anonymous(json(400, 'url leads to an address that this server does not contact', 'url')),
  },
  { call: 'GET /Applications/:application_sid', responses: owners(...foreign(empty(404))) },
  // The account's own SID replaces the one in the body.
  { call: 'POST /Applications', body: anApplication, responses: owners(privileges, 'ok', 'ok') },
  {
    call: 'PUT /Applications/:application_sid',
    body: () => ({ record_all_calls: 1 }),
    responses: owners(permissions, privileges, privileges),
  },
  // Permitted actors get the error that the server does not send requests to private networks.
  {
    call: 'POST /Applications/:application_sid/WebhookTest',
    body: () => ({ hook: 'call_hook', url: 'http://10.0.0.1/call' }),
    responses: owners(permissions, privileges, privileges),
  },
  {
    call: 'DELETE /Applications/:application_sid',
    disposableTarget: { path: '/Applications', body: anApplication },
    responses: owners(permissions, json(422, 'insufficient permissions'), json(422, 'insufficient permissions')),
  },

  ...telephony,
  ...live,
  ...speech,
]
