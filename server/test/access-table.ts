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
  anyone,
  nobody,
  unknownAccount,
  nothing,
  type Row,
} from './access-answers'
import { aHook, name, anApplication, aNobody, aUser, aLimit } from './access-drafts'
import { live } from './access-live'
import { speech } from './access-speech'
import { telephony } from './access-telephony'

/** Access to every route. The target belongs to acme, an account of north, unless the row says otherwise. */
export const access: Row[] = [
  { call: 'GET /Abilities', answers: anyone },
  { call: 'GET /Availability', query: () => '?type=email&value=x', answers: anyone },
  // Public; the requests change nothing.
  { call: 'GET /AccountTest/:service_provider_sid', answers: nobody(text(404)) },
  { call: 'GET /Accounts/:account_sid/Charges', answers: owners(gate, gate, gate) },
  { call: 'POST /Webhooks', body: aHook, answers: anyone },
  {
    call: 'GET /Webhooks/:webhook_sid',
    victim: { path: '/Webhooks', body: aHook },
    answers: onlyAdmin(privileges),
  },
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
  // The account's own SID replaces the one in the body. Another provider's account looks as if it did not exist.
  { call: 'POST /Users', body: aUser, answers: owners(unknownAccount, 'ok', 'ok') },
  // Actors of a tenant can add only to that tenant.
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
  // Only actors that may make changes get the error for an empty update.
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
  { call: 'GET /ServiceProviders/:service_provider_sid/TtsCache', answers: providers(gate) },
  { call: 'DELETE /ServiceProviders/:service_provider_sid/TtsCache', answers: providers(gate) },

  { call: 'GET /Accounts/:account_sid/Limits', answers: owners(...foreign(gate)) },
  // An account cannot change its own limits.
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
    // The target is a sibling of acme. The tests of accounts cover how an account deletes itself.
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

  // The response depends on the target URL, not on the actor.
  {
    call: 'GET /AppEnv',
    query: () => '?url=http://10.0.0.1/call',
    answers: nobody(json(400, 'url leads to an address that this server does not contact', 'url')),
  },
  { call: 'GET /Applications/:application_sid', answers: owners(...foreign(empty(404))) },
  // The account's own SID replaces the one in the body.
  { call: 'POST /Applications', body: anApplication, answers: owners(privileges, 'ok', 'ok') },
  {
    call: 'PUT /Applications/:application_sid',
    body: () => ({ record_all_calls: 1 }),
    answers: owners(permissions, privileges, privileges),
  },
  // Permitted actors get the error that the server does not send requests to private networks.
  {
    call: 'POST /Applications/:application_sid/WebhookTest',
    body: () => ({ hook: 'call_hook', url: 'http://10.0.0.1/call' }),
    answers: owners(permissions, privileges, privileges),
  },
  {
    call: 'DELETE /Applications/:application_sid',
    victim: { path: '/Applications', body: anApplication },
    answers: owners(permissions, json(422, 'insufficient permissions'), json(422, 'insufficient permissions')),
  },

  ...telephony,
  ...live,
  ...speech,
]
