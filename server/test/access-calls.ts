import {
  tenantRefusal,
  jsonResponse,
  sameForEveryone,
  okForOwners,
  okForProvider,
  textResponse,
  type AccessCase,
} from './access-responses'

const recordingPath = '/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'
const ticketRefusal = jsonResponse(400, 'an API key needs no recording ticket: it can open the recording directly')
const logsRefusal = jsonResponse(400, 'Logs are only available in AWS environments')

/** Access to finished calls, their captures, traces, logs and recordings, and to alerts. */
export const finishedCallCases: AccessCase[] = [
  ...['RecentCalls', 'Alerts'].flatMap((list): AccessCase[] => [
    {
      route: `GET /Accounts/:account_sid/${list}`,
      query: () => '?page=1&count=25',
      responses: okForOwners(tenantRefusal, tenantRefusal, tenantRefusal),
    },
    {
      route: `GET /ServiceProviders/:service_provider_sid/${list}`,
      query: () => '?page=1&count=25',
      responses: okForProvider(tenantRefusal),
    },
  ]),
  ...['RecentCallOverview', 'FailingCarriers'].flatMap((list): AccessCase[] => [
    {
      route: `GET /Accounts/:account_sid/${list}`,
      responses: okForOwners(tenantRefusal, tenantRefusal, tenantRefusal),
    },
    { route: `GET /ServiceProviders/:service_provider_sid/${list}`, responses: okForProvider(tenantRefusal) },
  ]),
  {
    route: 'GET /Accounts/:account_sid/AlertGroups',
    query: () => '?page=1&count=25',
    responses: okForOwners(tenantRefusal, tenantRefusal, tenantRefusal),
  },
  {
    route: 'GET /ServiceProviders/:service_provider_sid/AlertGroups',
    query: () => '?page=1&count=25',
    responses: okForProvider(tenantRefusal),
  },

  // No captures or traces exist: actors that pass the tenant check get a 404. An administrator may request any Call-ID.
  ...Object.entries({
    ':sip_callid': 'ok',
    ':sip_callid/:method/pcap': textResponse(404),
    'trace/:trace_id': textResponse(404),
  } as const).flatMap(([subpath, admin]): AccessCase[] => [
    {
      route: `GET /Accounts/:account_sid/RecentCalls/${subpath}`,
      responses: {
        ...sameForEveryone(textResponse(404)),
        admin,
        south: tenantRefusal,
        bolt: tenantRefusal,
        corp: tenantRefusal,
      },
    },
    {
      route: `GET /ServiceProviders/:service_provider_sid/RecentCalls/${subpath}`,
      responses: { ...sameForEveryone(tenantRefusal), admin, north: textResponse(404) },
    },
  ]),

  // No logs exist either.
  {
    route: 'GET /Accounts/:account_sid/RecentCalls/:call_sid/logs',
    responses: { ...sameForEveryone(logsRefusal), south: tenantRefusal, bolt: tenantRefusal, corp: tenantRefusal },
  },
  {
    route: 'GET /ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/logs',
    responses: {
      ...sameForEveryone(tenantRefusal),
      admin: jsonResponse(400, 'account_sid required'),
      north: jsonResponse(400, 'account_sid required'),
    },
  },

  // No recordings exist either. API keys need no URL with a ticket.
  ...['GET', 'DELETE'].flatMap((method): AccessCase[] => [
    {
      route: `${method} /Accounts/:account_sid${recordingPath}`,
      responses: {
        ...sameForEveryone(textResponse(404)),
        south: tenantRefusal,
        bolt: tenantRefusal,
        corp: tenantRefusal,
      },
    },
    {
      route: `${method} /ServiceProviders/:service_provider_sid${recordingPath}`,
      responses: { ...sameForEveryone(tenantRefusal), admin: textResponse(404), north: textResponse(404) },
    },
  ]),
  {
    route: `GET /Accounts/:account_sid${recordingPath}/address`,
    responses: {
      ...sameForEveryone(textResponse(404)),
      south: tenantRefusal,
      bolt: tenantRefusal,
      corp: tenantRefusal,
    },
    keyResponses: { admin: ticketRefusal, north: ticketRefusal, acme: ticketRefusal },
  },
  {
    route: `GET /ServiceProviders/:service_provider_sid${recordingPath}/address`,
    responses: { ...sameForEveryone(tenantRefusal), admin: textResponse(404), north: textResponse(404) },
  },
]
