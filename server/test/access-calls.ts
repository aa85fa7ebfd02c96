import { gate, json, anonymous, owners, providers, text, type Row } from './access-answers'

const recording = '/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'
const noTicket = json(400, 'an API key needs no recording ticket: it can open the recording directly')
const noLogs = json(400, 'Logs are only available in AWS environments')

/** Access to finished calls, their captures, traces, logs and recordings, and to alerts. */
export const calls: Row[] = [
  ...['RecentCalls', 'Alerts'].flatMap((list): Row[] => [
    {
      call: `GET /Accounts/:account_sid/${list}`,
      query: () => '?page=1&count=25',
      responses: owners(gate, gate, gate),
    },
    {
      call: `GET /ServiceProviders/:service_provider_sid/${list}`,
      query: () => '?page=1&count=25',
      responses: providers(gate),
    },
  ]),
  { call: 'GET /Accounts/:account_sid/RecentCallOverview', responses: owners(gate, gate, gate) },
  {
    call: 'GET /Accounts/:account_sid/AlertGroups',
    query: () => '?page=1&count=25',
    responses: owners(gate, gate, gate),
  },
  {
    call: 'GET /ServiceProviders/:service_provider_sid/AlertGroups',
    query: () => '?page=1&count=25',
    responses: providers(gate),
  },
  { call: 'GET /ServiceProviders/:service_provider_sid/RecentCallOverview', responses: providers(gate) },

  // No captures or traces exist: actors that pass the gate get a 404. An administrator may request any Call-ID.
  ...Object.entries({
    ':sip_callid': 'ok',
    ':sip_callid/:method/pcap': text(404),
    'trace/:trace_id': text(404),
  } as const).flatMap(([tail, admin]): Row[] => [
    {
      call: `GET /Accounts/:account_sid/RecentCalls/${tail}`,
      responses: { ...anonymous(text(404)), admin, south: gate, bolt: gate, corp: gate },
    },
    {
      call: `GET /ServiceProviders/:service_provider_sid/RecentCalls/${tail}`,
      responses: { ...anonymous(gate), admin, north: text(404) },
    },
  ]),

  // No logs exist either.
  {
    call: 'GET /Accounts/:account_sid/RecentCalls/:call_sid/logs',
    responses: { ...anonymous(noLogs), south: gate, bolt: gate, corp: gate },
  },
  {
    call: 'GET /ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/logs',
    responses: {
      ...anonymous(gate),
      admin: json(400, 'account_sid required'),
      north: json(400, 'account_sid required'),
    },
  },

  // No recordings exist either. API keys need no URL with a ticket.
  ...['GET', 'DELETE'].flatMap((method): Row[] => [
    {
      call: `${method} /Accounts/:account_sid${recording}`,
      responses: { ...anonymous(text(404)), south: gate, bolt: gate, corp: gate },
    },
    {
      call: `${method} /ServiceProviders/:service_provider_sid${recording}`,
      responses: { ...anonymous(gate), admin: text(404), north: text(404) },
    },
  ]),
  {
    call: `GET /Accounts/:account_sid${recording}/address`,
    responses: { ...anonymous(text(404)), south: gate, bolt: gate, corp: gate },
    keys: { admin: noTicket, north: noTicket, acme: noTicket },
  },
  {
    call: `GET /ServiceProviders/:service_provider_sid${recording}/address`,
    responses: { ...anonymous(gate), admin: text(404), north: text(404) },
  },
]
