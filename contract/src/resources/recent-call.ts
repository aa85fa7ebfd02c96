import { defineRoute } from '../kit/route'
import type {
  CallOverview,
  FailingCarrier,
  LogQuery,
  OverviewQuery,
  RecentCall,
  RecentCallQuery,
  EventPage,
} from '../shapes/recent-call'

type ListRoute = { query: RecentCallQuery; response: EventPage<RecentCall> }

const listSummary = 'List the calls that have ended, the newest first'

export const callsOfAccount = defineRoute<ListRoute>()('GET', '/Accounts/:account_sid/RecentCalls', listSummary)
export const callsOfProvider = defineRoute<ListRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls',
  listSummary,
)

type OverviewRoute = { query: OverviewQuery; response: CallOverview }

const overviewSummary = 'Summarize the calls that have ended'

/** Trunkline additions: server capability `overview`. */
export const overviewOfAccount = defineRoute<OverviewRoute>()(
  'GET',
  '/Accounts/:account_sid/RecentCallOverview',
  overviewSummary,
)
export const overviewOfProvider = defineRoute<OverviewRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCallOverview',
  overviewSummary,
)

type FailingCarriersRoute = { response: FailingCarrier[] }

const failingCarriersSummary = 'List the carriers that fail now'

/** Trunkline additions: server capability `home`. Carriers of which the latest outbound calls or the registration fail. */
export const failingCarriersOfAccount = defineRoute<FailingCarriersRoute>()(
  'GET',
  '/Accounts/:account_sid/FailingCarriers',
  failingCarriersSummary,
)
export const failingCarriersOfProvider = defineRoute<FailingCarriersRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/FailingCarriers',
  failingCarriersSummary,
)

/** The data of one SIP dialog in the capture server. Only `total`, the number of messages, is specified. */
export interface CaptureSummary {
  total: number
}

type SummaryRoute = { response: CaptureSummary }
/** A pcap file. */
type CaptureRoute = { response: Uint8Array }

const readDescription = 'Read a summary of the captured messages of a SIP dialog'
const downloadDescription = 'Download the captured messages of a SIP dialog'

/** The captured SIP dialogs of an account, by SIP Call-ID. `method` is `invite` or `register`. */
export const capturesOfAccount = {
  summary: defineRoute<SummaryRoute>()('GET', '/Accounts/:account_sid/RecentCalls/:sip_callid', readDescription),
  pcap: defineRoute<CaptureRoute>()(
    'GET',
    '/Accounts/:account_sid/RecentCalls/:sip_callid/:method/pcap',
    downloadDescription,
  ),
}

/** The same routes for a service provider and its accounts. */
export const capturesOfProvider = {
  summary: defineRoute<SummaryRoute>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/RecentCalls/:sip_callid',
    readDescription,
  ),
  pcap: defineRoute<CaptureRoute>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/RecentCalls/:sip_callid/:method/pcap',
    downloadDescription,
  ),
}

type LogsRoute = { query: LogQuery; response: string[] }

/** The log lines of the voice servers about one call. Most lines are JSON. */
export const logsOfAccount = defineRoute<LogsRoute>()(
  'GET',
  '/Accounts/:account_sid/RecentCalls/:call_sid/logs',
  'Read the system logs of a call',
)
/** Always refused: logs are read under the account. */
export const logsOfProvider = defineRoute<LogsRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/logs',
  'Always refused: read the system logs of a call under its account',
)
