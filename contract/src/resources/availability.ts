import { route } from '../kit/route'
import type { AvailabilityResponse, AvailabilityQuery } from '../shapes/availability'

/** A subdomain is asked for as the whole realm that it would make. */
export const availability = route<{ query: AvailabilityQuery; response: AvailabilityResponse }>()(
  'GET',
  '/Availability',
  'Ask whether a SIP realm, an e-mail address or a phone number is still free',
)
