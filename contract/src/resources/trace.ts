import type { WireTrace } from '../calls/otlp-trace'
import { defineRoute } from '../kit/route'

type TraceRoute = { response: WireTrace }

/** The trace of an account's call. */
export const traceOfAccount = defineRoute<TraceRoute>()(
  'GET',
  '/Accounts/:account_sid/RecentCalls/trace/:trace_id',
  'Read the trace of a call',
)

/** The same for the calls of a service provider's accounts. */
export const traceOfProvider = defineRoute<TraceRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls/trace/:trace_id',
  'Read the trace of a call',
)
