import { route } from '../kit/route'
import type { SignedRecording } from '../shapes/recording'

const tail = '/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'

const read = 'Download the recording of a call, or a stretch of it'
const remove = 'Delete the recording of a call'
const sign = 'Get an address that opens one recording for a while, without a token'

/** Sound, whole or in part. */
type Sound = { answer: unknown }

/** The recordings of an account's calls. `open`: a signed address brings its own proof. */
export const recordingOfAccount = {
  read: route<Sound & { query: { ticket?: string } }>()('GET', `/Accounts/:account_sid${tail}`, read, { open: true }),
  remove: route()('DELETE', `/Accounts/:account_sid${tail}`, remove),
  /** Ours: see abilities.recordings. */
  sign: route<{ answer: SignedRecording }>()('GET', `/Accounts/:account_sid${tail}/address`, sign),
}

/** The same of the calls of a service provider's accounts. */
export const recordingOfProvider = {
  read: route<Sound>()('GET', `/ServiceProviders/:service_provider_sid${tail}`, read),
  remove: route()('DELETE', `/ServiceProviders/:service_provider_sid${tail}`, remove),
  sign: route<{ answer: SignedRecording }>()('GET', `/ServiceProviders/:service_provider_sid${tail}/address`, sign),
}
