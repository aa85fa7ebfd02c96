import { defineRoute } from '../kit/route'
import type { RecordingTicket } from '../shapes/recording'

const recordingSubpath = '/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'

const readSummary = 'Download the recording of a call, or a part of it'
const removeSummary = 'Delete the recording of a call'
const ticketSummary = 'Get a URL that opens one recording for a limited time, without an API token'

/** Audio, complete or a byte range. */
type AudioRoute = { response: unknown }

/** The recordings of an account's calls. `read` is public because a ticket in the URL can authorize it. */
export const recordingOfAccount = {
  read: defineRoute<AudioRoute & { query: { ticket?: string } }>()(
    'GET',
    `/Accounts/:account_sid${recordingSubpath}`,
    readSummary,
    {
      isPublic: true,
    },
  ),
  remove: defineRoute()('DELETE', `/Accounts/:account_sid${recordingSubpath}`, removeSummary),
  /** A Trunkline addition: server capability `recordings`. */
  createTicket: defineRoute<{ response: RecordingTicket }>()(
    'GET',
    `/Accounts/:account_sid${recordingSubpath}/address`,
    ticketSummary,
  ),
}

/** The same routes for the calls of a service provider's accounts. */
export const recordingOfProvider = {
  read: defineRoute<AudioRoute>()('GET', `/ServiceProviders/:service_provider_sid${recordingSubpath}`, readSummary),
  remove: defineRoute()('DELETE', `/ServiceProviders/:service_provider_sid${recordingSubpath}`, removeSummary),
  createTicket: defineRoute<{ response: RecordingTicket }>()(
    'GET',
    `/ServiceProviders/:service_provider_sid${recordingSubpath}/address`,
    ticketSummary,
  ),
}
