import { defineRoute } from '../kit/route'
import type { AvailabilityResponse, AvailabilityQuery } from '../shapes/availability'

/** For a subdomain, the query contains the complete SIP realm. */
export const availability = defineRoute<{ query: AvailabilityQuery; response: AvailabilityResponse }>()(
  'GET',
  '/Availability',
  'Check whether a SIP realm, email address or phone number is available',
)
