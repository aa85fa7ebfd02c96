import { defineRoute } from '../kit/route'
import type { AvailabilityResponse, AvailabilityQuery } from '../shapes/availability'

/** For a subdomain, the query contains the complete SIP realm. */
export const availability = defineRoute<{ query: AvailabilityQuery; response: AvailabilityResponse }>()(
  'GET',
  '/Availability',
  'Ask whether a SIP realm, an e-mail address or a phone number is still free',
)
