import { messages as savedViewMessages } from '@trunkline/contract/messages/saved-view'
import {
  jsonResponse,
  emptyResponse,
  textResponse,
  noPermissions,
  noPrivileges,
  tenantRefusal,
  foreignProviderRefusal,
  okForOwners,
  sameForForeign,
  okForProvider,
  okForAdmin,
  okUnderProvider,
  okForEveryone,
  sameForEveryone,
  unknownAccount,
  noUpdates,
  type AccessCase,
} from './access-responses'
import { newHookDraft, newName, applicationDraft, userDraft, acmeUserDraft, limitDraft } from './access-drafts'
import { liveCallCases } from './access-live-calls'
import { speechCases } from './access-speech'
import { telephonyCases } from './access-telephony'

const noViewsForKeys = Object.fromEntries(
  Object.keys(okForEveryone).map((actorName) => [actorName, jsonResponse(403, savedViewMessages.noUser)]),
)
const savedViewDraft = () => ({ list: 'accounts', query: '', ...newName() })

/** Access to every route. The target belongs to acme, an account of north, unless the row says otherwise. */
export const accessCases: AccessCase[] = [
  { route: 'GET /Abilities', responses: okForEveryone },
  {
    route: 'GET /Dependents/:kind/:record_sid',
    params: ({ accounts }) => ({ kind: 'account', record_sid: accounts.acme }),
    responses: okForOwners(...sameForForeign(noPermissions)),
  },
  // Foreign records are left out of the response. The tests of the route cover that.
  {
    route: 'GET /RecordCounts',
    query: ({ accounts }) => `?kind=account&sids=${accounts.acme}`,
    responses: okForEveryone,
  },
  { route: 'GET /Availability', query: () => '?type=email&value=x', responses: okForEveryone },
  // Public; the requests change nothing.
  { route: 'GET /AccountTest/:service_provider_sid', responses: sameForEveryone(textResponse(404)) },
  { route: 'GET /Accounts/:account_sid/Charges', responses: okForOwners(tenantRefusal, tenantRefusal, tenantRefusal) },
  { route: 'POST /Webhooks', body: newHookDraft, responses: okForEveryone },
  {
    route: 'GET /Webhooks/:webhook_sid',
    disposableTarget: { path: '/Webhooks', body: newHookDraft },
    responses: okForAdmin(noPrivileges),
  },
  {
    route: 'GET /Users/me',
    responses: okForEveryone,
    keyResponses: Object.fromEntries(Object.keys(okForEveryone).map((actorName) => [actorName, textResponse(403)])),
  },
  { route: 'GET /Users/:user_sid', responses: okForOwners(...sameForForeign(noPermissions)) },
  {
    route: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    responses: okForProvider(noPermissions),
  },
  {
    route: 'GET /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    responses: okForAdmin(noPermissions),
  },
  // The account's own SID replaces the one in the body. Another provider's account looks as if it did not exist.
  { route: 'POST /Users', body: acmeUserDraft, responses: okForOwners(unknownAccount, 'ok', 'ok') },
  // Actors of a tenant can add only to that tenant.
  { route: 'POST /Users', body: userDraft, responses: okForEveryone },
  {
    route: 'PUT /Users/:user_sid',
    body: () => ({ force_change: 0 }),
    responses: okForOwners(...sameForForeign(textResponse(403))),
  },
  {
    route: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.north }),
    body: () => ({ force_change: 0 }),
    responses: okForProvider(textResponse(403)),
  },
  {
    route: 'PUT /Users/:user_sid',
    params: ({ users }) => ({ user_sid: users.admin }),
    body: () => ({ force_change: 0 }),
    responses: okForAdmin(textResponse(403)),
  },
  // Only actors that may make changes get the error for an empty update.
  {
    route: 'PUT /Users/:user_sid',
    body: () => ({}),
    responses: {
      ...okForOwners(...sameForForeign(textResponse(403))),
      admin: noUpdates,
      north: noUpdates,
      acme: noUpdates,
    },
  },
  {
    route: 'DELETE /Users/:user_sid',
    disposableTarget: { path: '/Users', body: acmeUserDraft },
    responses: okForOwners(...sameForForeign(noPermissions)),
  },
  {
    route: 'DELETE /Users/:user_sid',
    disposableTarget: {
      path: '/Users',
      body: (testData) => ({ ...userDraft(), service_provider_sid: testData.providers.north }),
    },
    responses: okForProvider(noPermissions),
  },
  {
    route: 'DELETE /Users/:user_sid',
    disposableTarget: { path: '/Users', body: userDraft },
    responses: okForAdmin(noPermissions),
  },
  { route: 'GET /SavedViews', responses: okForEveryone, keyResponses: noViewsForKeys },
  { route: 'POST /SavedViews', body: savedViewDraft, responses: okForEveryone, keyResponses: noViewsForKeys },
  // Nobody can access a view of another user, so its route has no other response than for one that does not exist.
  {
    route: 'PUT /SavedViews/:saved_view_sid',
    body: () => ({ query: '' }),
    responses: sameForEveryone(textResponse(404)),
    keyResponses: noViewsForKeys,
  },
  {
    route: 'DELETE /SavedViews/:saved_view_sid',
    responses: sameForEveryone(textResponse(404)),
    keyResponses: noViewsForKeys,
  },
  { route: 'GET /PasswordSettings', responses: okForEveryone },
  { route: 'POST /PasswordSettings', body: () => ({ require_digit: 0 }), responses: okForAdmin(textResponse(403)) },

  { route: 'GET /SystemInformation', responses: okForAdmin(tenantRefusal) },
  { route: 'POST /SystemInformation', body: () => ({ log_level: 'info' }), responses: okForAdmin(tenantRefusal) },
  { route: 'GET /SystemHealth', responses: okForAdmin(tenantRefusal) },
  { route: 'GET /TtsCache', responses: okForAdmin(tenantRefusal) },
  { route: 'DELETE /TtsCache', responses: okForAdmin(tenantRefusal) },
  { route: 'GET /Accounts/:account_sid/TtsCache', responses: okForOwners(...sameForForeign(tenantRefusal)) },
  { route: 'DELETE /Accounts/:account_sid/TtsCache', responses: okForOwners(...sameForForeign(tenantRefusal)) },
  { route: 'GET /ServiceProviders/:service_provider_sid/TtsCache', responses: okForProvider(tenantRefusal) },
  { route: 'DELETE /ServiceProviders/:service_provider_sid/TtsCache', responses: okForProvider(tenantRefusal) },

  { route: 'GET /Accounts/:account_sid/Limits', responses: okForOwners(...sameForForeign(tenantRefusal)) },
  // An account cannot change its own limits.
  { route: 'POST /Accounts/:account_sid/Limits', body: limitDraft, responses: okForProvider(tenantRefusal) },
  { route: 'DELETE /Accounts/:account_sid/Limits', responses: okForProvider(tenantRefusal) },
  { route: 'GET /ServiceProviders/:service_provider_sid/Limits', responses: okForProvider(tenantRefusal) },
  {
    route: 'POST /ServiceProviders/:service_provider_sid/Limits',
    body: limitDraft,
    responses: okForProvider(tenantRefusal),
  },
  { route: 'DELETE /ServiceProviders/:service_provider_sid/Limits', responses: okForProvider(tenantRefusal) },

  { route: 'GET /ServiceProviders/:service_provider_sid', responses: okUnderProvider(noPermissions) },
  {
    route: 'POST /ServiceProviders',
    body: newName,
    responses: okForAdmin(jsonResponse(403, 'only admin users can add a service provider')),
  },
  {
    route: 'PUT /ServiceProviders/:service_provider_sid',
    body: () => ({ description: 'x' }),
    responses: okForProvider(foreignProviderRefusal),
  },
  {
    route: 'DELETE /ServiceProviders/:service_provider_sid',
    disposableTarget: { path: '/ServiceProviders', body: newName },
    responses: okForAdmin(jsonResponse(403, 'only admin users can delete a service provider')),
  },

  { route: 'GET /Accounts/:account_sid', responses: okForOwners(...sameForForeign(noPermissions)) },
  {
    route: 'POST /Accounts',
    body: ({ providers }) => ({ ...newName(), service_provider_sid: providers.north }),
    responses: { ...okForProvider(noPermissions), south: 'ok' },
  },
  {
    route: 'PUT /Accounts/:account_sid',
    body: () => ({ record_format: 'wav' }),
    responses: okForOwners(...sameForForeign(noPermissions)),
  },
  {
    route: 'DELETE /Accounts/:account_sid',
    disposableTarget: {
      path: '/Accounts',
      body: ({ providers }) => ({ ...newName(), service_provider_sid: providers.north }),
    },
    // The target is a sibling of acme. The tests of accounts cover how an account deletes itself.
    responses: okForProvider(noPermissions),
  },
  { route: 'GET /Accounts/:account_sid/WebhookSecret', responses: okForOwners(...sameForForeign(noPermissions)) },
  {
    route: 'GET /Accounts/:account_sid/WebhookSecret',
    query: () => '?regenerate=true',
    responses: okForOwners(...sameForForeign(noPermissions)),
  },

  {
    route: 'POST /Accounts/:account_sid/BucketCredentialTest',
    body: () => ({ vendor: 'none' }),
    responses: okForOwners(...sameForForeign(noPermissions)),
  },

  {
    route: 'POST /ApiKeys',
    body: ({ acme }) => ({ account_sid: acme.account }),
    responses: okForOwners(
      jsonResponse(400, 'a service provider token can only be used to create tokens for the same service provider'),
      jsonResponse(400, 'an account level token can only be used to create account level tokens for the same account'),
      jsonResponse(400, 'an account level token can only be used to create account level tokens for the same account'),
    ),
  },
  {
    route: 'DELETE /ApiKeys/:api_key_sid',
    disposableTarget: { path: '/ApiKeys', body: ({ acme }) => ({ account_sid: acme.account }) },
    responses: okForOwners(
      jsonResponse(400, 'a service provider user may not delete api key from another service provider'),
      jsonResponse(400, 'a user may not delete a token associated with a different account'),
      jsonResponse(400, 'a user may not delete a token associated with a different account'),
    ),
  },

  // The response depends on the target URL, not on the actor.
  {
    route: 'GET /AppEnv',
    query: () => '?url=http://10.0.0.1/call',
    responses: sameForEveryone(jsonResponse(400, 'url leads to an address that this server does not contact', 'url')),
  },
  { route: 'GET /Applications/:application_sid', responses: okForOwners(...sameForForeign(emptyResponse(404))) },
  // The account's own SID replaces the one in the body.
  { route: 'POST /Applications', body: applicationDraft, responses: okForOwners(noPrivileges, 'ok', 'ok') },
  {
    route: 'PUT /Applications/:application_sid',
    body: () => ({ record_all_calls: 1 }),
    responses: okForOwners(noPermissions, noPrivileges, noPrivileges),
  },
  // Permitted actors get the error that the server does not send requests to private networks.
  {
    route: 'POST /Applications/:application_sid/WebhookTest',
    body: () => ({ hook: 'call_hook', url: 'http://10.0.0.1/call' }),
    responses: okForOwners(noPermissions, noPrivileges, noPrivileges),
  },
  {
    route: 'DELETE /Applications/:application_sid',
    disposableTarget: { path: '/Applications', body: applicationDraft },
    responses: okForOwners(
      noPermissions,
      jsonResponse(422, 'insufficient permissions'),
      jsonResponse(422, 'insufficient permissions'),
    ),
  },

  ...telephonyCases,
  ...liveCallCases,
  ...speechCases,
]
