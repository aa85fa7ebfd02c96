import type { WireTrace } from '../calls/spans-wire'
import { route } from '../kit/route'

type Answer = { response: WireTrace }

/** The trace of an account's call. */
export const traceOfAccount = route<Answer>()(
  'GET',
  '/Accounts/:account_sid/RecentCalls/trace/:trace_id',
  'Tell what a call was doing when',
)

/** The same for the calls of a service provider's accounts. */
export const traceOfProvider = route<Answer>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls/trace/:trace_id',
  'Tell what a call was doing when',
)
