import { messages } from '@trunkline/contract/messages/live-call'
import {
  tenantRefusal,
  jsonResponse,
  sameForEveryone,
  okForOwners,
  noPermissions,
  okForProvider,
  textResponse,
  type AccessCase,
} from './access-responses'

/** Access to calls in progress. Without a platform, actors that pass the permission check find no calls and cannot start any. */
export const liveCallCases: AccessCase[] = [
  ...['Calls', 'Queues', 'Conferences', 'CallCount', 'CallUsage'].map((list): AccessCase => ({
    route: `GET /Accounts/:account_sid/${list}`,
    responses: okForOwners(noPermissions, noPermissions, noPermissions),
  })),
  { route: 'GET /ServiceProviders/:service_provider_sid/Calls', responses: okForProvider(tenantRefusal) },
  { route: 'GET /ServiceProviders/:service_provider_sid/CallUsage', responses: okForProvider(tenantRefusal) },
  ...['Calls', 'Messages'].map((list): AccessCase => ({
    route: `POST /Accounts/:account_sid/${list}`,
    body: () => ({}),
    responses: {
      ...sameForEveryone(jsonResponse(480, messages.noFeatureServers)),
      south: noPermissions,
      bolt: noPermissions,
      corp: noPermissions,
    },
  })),
  ...['GET', 'PUT', 'POST', 'DELETE'].map((method): AccessCase => ({
    route: `${method} /Accounts/:account_sid/Calls/:call_sid`,
    ...(method === 'PUT' || method === 'POST' ? { body: () => ({ call_status: 'completed' }) } : {}),
    responses: {
      ...sameForEveryone(textResponse(404)),
      south: noPermissions,
      bolt: noPermissions,
      corp: noPermissions,
    },
  })),
  ...['GET', 'POST'].map((method): AccessCase => ({
    route: `${method} /Accounts/:account_sid/RegisteredSipUsers`,
    ...(method === 'POST' ? { body: () => ['jo'] } : {}),
    responses: okForOwners(noPermissions, noPermissions, noPermissions),
  })),
  {
    route: 'GET /Accounts/:account_sid/RegisteredSipUsers/:user',
    responses: okForOwners(noPermissions, noPermissions, noPermissions),
  },
]
