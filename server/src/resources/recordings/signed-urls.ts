import { buildBucketKey, buildRecordingPath, getRecordingMimeType } from '@trunkline/contract/calls/recording'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { RecordingTicket } from '@trunkline/contract/shapes/recording'
import type { Services } from '../../composition/services'
import { unauthorized } from '../../http/credentials'
import { isSid } from '../../http/tenant-access'
import { badRequest } from '../../http/problem'
import type { RecordingLookup, RecordingReference } from './recording-lookup'

const buildTicketSubject = ({ account_sid, name }: RecordingReference) =>
  `${account_sid.toLowerCase()}/${buildBucketKey(name)}`

/** URLs with a ticket, which gives access to one recording until the session of its user ends. */
export const createRecordingUrlSigner = (
  { accounts, actors, tickets }: Pick<Services, 'accounts' | 'actors' | 'tickets'>,
  { findFile }: Pick<RecordingLookup, 'findFile'>,
) => ({
  async create(actor: Actor, reference: RecordingReference): Promise<RecordingTicket> {
    if (!actor.session_sid) throw badRequest('an API key needs no recording ticket: it can open the recording directly')
    const { format, size } = await findFile(reference)
    const ticket = await tickets.sign(buildTicketSubject(reference), actor.session_sid)
    const url = `${buildRecordingPath(reference.account_sid, reference.name)}?ticket=${ticket}`
    return { address: url, type: getRecordingMimeType(format), size }
  },

  /** Throws 401 if the ticket's session has ended, or if its user may not read the account's calls. */
  async checkTicket(ticket: string, reference: RecordingReference): Promise<void> {
    const session_sid = isSid(reference.account_sid)
      ? await tickets.sessionOf(ticket, buildTicketSubject(reference))
      : undefined
    const actor = session_sid ? await actors.findBySession(session_sid) : undefined
    const service_provider_sid = (await accounts.providerOf(reference.account_sid)) ?? null
    const owner = { service_provider_sid, account_sid: reference.account_sid }
    if (!actor || !can(actor, 'read', 'recent_call', owner)) throw unauthorized(ticket)
  },
})
