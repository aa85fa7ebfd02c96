import { messages } from '@trunkline/contract/messages/live-call'
import { gate, json, anonymous, owners, permissions, providers, text, type Row } from './access-answers'

/** Access to calls in progress. Without a platform, actors that pass the gate find no calls and cannot start any. */
export const live: Row[] = [
  ...['Calls', 'Queues', 'Conferences', 'CallCount'].map((list): Row => ({
    call: `GET /Accounts/:account_sid/${list}`,
    responses: owners(permissions, permissions, permissions),
  })),
  { call: 'GET /ServiceProviders/:service_provider_sid/Calls', responses: providers(gate) },
  ...['Calls', 'Messages'].map((list): Row => ({
    call: `POST /Accounts/:account_sid/${list}`,
    body: () => ({}),
    responses: {
      ...anonymous(json(480, messages.noFeatureServers)),
      south: permissions,
      bolt: permissions,
      corp: permissions,
    },
  })),
  ...['GET', 'PUT', 'POST', 'DELETE'].map((method): Row => ({
    call: `${method} /Accounts/:account_sid/Calls/:call_sid`,
    ...(method === 'PUT' || method === 'POST' ? { body: () => ({ call_status: 'completed' }) } : {}),
    responses: { ...anonymous(text(404)), south: permissions, bolt: permissions, corp: permissions },
  })),
  ...['GET', 'POST'].map((method): Row => ({
    call: `${method} /Accounts/:account_sid/RegisteredSipUsers`,
    ...(method === 'POST' ? { body: () => ['jo'] } : {}),
    responses: owners(permissions, permissions, permissions),
  })),
  {
    call: 'GET /Accounts/:account_sid/RegisteredSipUsers/:user',
    responses: owners(permissions, permissions, permissions),
  },
]
