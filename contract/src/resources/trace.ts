import type { WireTrace } from '../calls/spans-wire'
import { route } from '../kit/route'

type Answer = { response: WireTrace }

/** The spans of a call of an account. */
export const traceOfAccount = route<Answer>()(
  'GET',
  '/Accounts/:account_sid/RecentCalls/trace/:trace_id',
  'Tell what a call was doing when',
)

/** The same of a call of a service provider's accounts. */
export const traceOfProvider = route<Answer>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/RecentCalls/trace/:trace_id',
  'Tell what a call was doing when',
)
