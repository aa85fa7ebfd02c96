import { route } from '../kit/route'
import type { SignedRecording } from '../shapes/recording'

const recordingSubpath = '/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'

const read = 'Download the recording of a call, or a stretch of it'
const remove = 'Delete the recording of a call'
const sign = 'Get an address that opens one recording for a while, without a token'

/** Audio, complete or a byte range. */
type AudioRoute = { response: unknown }

/** The recordings of an account's calls. `read` is public because a ticket in the URL can authorize it. */
export const recordingOfAccount = {
  read: route<AudioRoute & { query: { ticket?: string } }>()('GET', `/Accounts/:account_sid${recordingSubpath}`, read, {
    isPublic: true,
  }),
  remove: route()('DELETE', `/Accounts/:account_sid${recordingSubpath}`, remove),
  /** A Trunkline addition: server capability `recordings`. */
  sign: route<{ response: SignedRecording }>()('GET', `/Accounts/:account_sid${recordingSubpath}/address`, sign),
}

/** The same routes for the calls of a service provider's accounts. */
export const recordingOfProvider = {
  read: route<AudioRoute>()('GET', `/ServiceProviders/:service_provider_sid${recordingSubpath}`, read),
  remove: route()('DELETE', `/ServiceProviders/:service_provider_sid${recordingSubpath}`, remove),
  sign: route<{ response: SignedRecording }>()(
    'GET',
    `/ServiceProviders/:service_provider_sid${recordingSubpath}/address`,
    sign,
  ),
}
