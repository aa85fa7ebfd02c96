import { route } from '../kit/route'
import type {
  CallOverview,
  LogQuery,
  OverviewQuery,
  RecentCall,
  RecentCallQuery,
  TimedPage,
} from '../shapes/recent-call'

type List = { query: RecentCallQuery; response: TimedPage<RecentCall> }

const list = 'List the calls that have ended, the newest first'

export const callsOfAccount = route<List>()('GET', '/Accounts/:account_sid/RecentCalls', list)
export const callsOfProvider = route<List>()('GET', '/ServiceProviders/:service_provider_sid/RecentCalls', list)

type Overview = { query: OverviewQuery; response: CallOverview }

const overview = 'Add up the calls that have ended'

/** Trunkline additions: server capability `overview`. */
export const overviewOfAccount = route<Overview>()('GET', '/Accounts/:account_sid/RecentCallOverview', overview)
export const overviewOfProvider = route<Overview>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCallOverview',
  overview,
)

/** The data of one SIP dialogue in the capture server. Only `total`, the number of messages, is specified. */
export interface SipTrace {
  total: number
}

type Trace = { response: SipTrace }
/** A pcap file. */
type Capture = { response: Uint8Array }

const trace = 'Tell what was captured of a SIP dialogue'
const pcap = 'Download what was captured of a SIP dialogue'

/** The captured SIP dialogues of an account, by SIP Call-ID. `method` is `invite` or `register`. */
export const dialoguesOfAccount = {
  trace: route<Trace>()('GET', '/Accounts/:account_sid/RecentCalls/:sip_callid', trace),
  pcap: route<Capture>()('GET', '/Accounts/:account_sid/RecentCalls/:sip_callid/:method/pcap', pcap),
}

/** The same routes for a service provider and its accounts. */
export const dialoguesOfProvider = {
  trace: route<Trace>()('GET', '/ServiceProviders/:service_provider_sid/RecentCalls/:sip_callid', trace),
  pcap: route<Capture>()('GET', '/ServiceProviders/:service_provider_sid/RecentCalls/:sip_callid/:method/pcap', pcap),
}

type Logs = { query: LogQuery; response: string[] }

/** The log lines of the voice servers about one call. Most lines are JSON. */
export const logsOfAccount = route<Logs>()(
  'GET',
  '/Accounts/:account_sid/RecentCalls/:call_sid/logs',
  'Read the system logs of a call',
)
/** Always refused: logs are read under the account. */
export const logsOfProvider = route<Logs>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls/:call_sid/logs',
  'Refused: the system logs of a call are read below its account',
)
