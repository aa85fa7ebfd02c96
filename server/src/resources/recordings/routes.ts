import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  recordingKey,
  recordingName,
  recordingPath,
  recordingType,
  type RecordingName,
} from '@trunkline/contract/calls/recording'
import { messages as recordingMessages } from '@trunkline/contract/messages/recording'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import { recordingOfAccount, recordingOfProvider } from '@trunkline/contract/resources/recording'
import { signedRecording } from '@trunkline/contract/shapes/recording'
import { mountRoute } from '../../http/mount-route'
import { unauthorized } from '../../http/credentials'
import { isSid, passGate } from '../../http/gate'
import { badRequest, conflict, notFound, Problem } from '../../http/problem'
import { parseRange } from '../../http/range'
import { accountTenant, providerTenant } from '../../http/timed-list'
import type { FoundRecording } from '../../ports/recording-archive'
import { StorageFault } from '../../ports/recordings'
import type { Services } from '../../services'

type Parts = Record<keyof RecordingName, string>

interface Place {
  account_sid: string
  name: RecordingName
}

/** How long a storage may take to begin, and to send all of it. */
const patience = 6 * 60 * 60_000

const query = z.object({ ticket: z.string().optional() })

/** Existing clients know one refusal of a recording, whatever is wrong with it; its words say more. */
const told = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageFault ? new Problem(404, error.message) : error
  }
}

const nothing = () => new Blob([]).stream()

/** Sends a recording, or the stretch of it that is asked for. */
const send = async (found: FoundRecording, request: FastifyRequest, reply: FastifyReply) => {
  const { size, format } = found
  const wanted = parseRange(request.headers.range, size)
  void reply.headers({ 'accept-ranges': 'bytes', 'content-type': recordingType(format) })
  if (wanted === 'outside') throw new Problem(416, undefined, { 'content-range': `bytes */${size}` })
  const stretch = wanted ?? { from: 0, to: size - 1 }
  void reply.header('content-length', String(stretch.to - stretch.from + 1))
  if (wanted) void reply.code(206).header('content-range', `bytes ${wanted.from}-${wanted.to}/${size}`)
  if (request.method === 'HEAD') return nothing()
  const stream: Readable = await told(found.open(AbortSignal.timeout(patience), wanted))
  return stream
}

/** The recordings of calls: heard, downloaded and deleted, wherever their account keeps them. */
export const recordingRoutes = (app: FastifyInstance, services: Services): void => {
  const { recordingArchive, accounts, actors, callHistory, tickets } = services

  const nameOf = (parts: Parts): RecordingName => {
    const name = recordingName(parts)
    if (!name) throw notFound()
    return name
  }

  /** Below an account, past its gate. */
  const ofAccount = async (actor: Actor, { account_sid, ...parts }: Parts & { account_sid: string }) => {
    await accountTenant(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
    return { account_sid, name: nameOf(parts) }
  }

  /**
   * The accounts of a provider with a call of this SID. There may be several: an account can write a record with the SID of another
   * account's call, and must not hide that account's recording by it.
   */
  const accountsWith = async (service_provider_sid: string, call_sid: string): Promise<string[]> => {
    const tenant = { service_provider_sid }
    const newest = await callHistory.find(tenant, { call_sid })
    if (!newest) return []
    const hasCall = async (account_sid: string) =>
      (await accounts.providerOf(account_sid)) === service_provider_sid &&
      (await callHistory.find({ account_sid }, { call_sid })) !== undefined
    const { rows } = await callHistory.calls(tenant, { page: 1, count: 100, text: call_sid })
    const named = rows.flatMap((row) => (row.call_sid === call_sid && row.account_sid ? [row.account_sid] : []))
    const candidates = new Set([...named, ...(await recordingArchive.accountsOf(call_sid))])
    if (newest.account_sid) candidates.delete(newest.account_sid)
    const others = await Promise.all([...candidates].map(async (sid) => ((await hasCall(sid)) ? [sid] : [])))
    return [...(newest.account_sid ? [newest.account_sid] : []), ...others.flat()]
  }

  /** Below a provider: the accounts of the call that have the recording. */
  const ofProvider = async (
    actor: Actor,
    { service_provider_sid, ...parts }: Parts & { service_provider_sid: string },
  ) => {
    providerTenant(actor, 'recent_call', service_provider_sid)
    const name = nameOf(parts)
    const sids = await accountsWith(service_provider_sid, name.call_sid)
    const places = sids.map((account_sid) => ({ account_sid, name }))
    const results = await Promise.allSettled(
      places.map((place) => told(recordingArchive.find(place.account_sid, name))),
    )
    const having = places.filter((_, index) => {
      const result = results[index]
      return result?.status === 'fulfilled' && result.value !== undefined
    })
    // the bucket of one account being out of reach says nothing about the recording of another
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (having.length === 0 && failure) throw failure.reason
    return having
  }

  /** To read, the newest call's account comes first. Which of several to delete is not for us to guess. */
  const oneOf = ([place, ...others]: Place[], action: 'read' | 'remove'): Place => {
    if (!place) throw notFound()
    if (action === 'remove' && others.length > 0) throw conflict(recordingMessages.ambiguous)
    return place
  }

  const missing = async ({ account_sid, name }: Place): Promise<Problem> =>
    (await recordingArchive.isKnown(account_sid, name)) ? new Problem(404, recordingMessages.otherServer) : notFound()

  const find = async ({ account_sid, name }: Place) => {
    const results = await told(recordingArchive.find(account_sid, name))
    if (!results) throw await missing({ account_sid, name })
    return results
  }

  /** What a ticket is for. */
  const subject = ({ account_sid, name }: Place) => `${account_sid.toLowerCase()}/${recordingKey(name)}`

  const sign = async (actor: Actor, place: Place) => {
    if (!actor.session_sid) throw badRequest('an API key needs no such address: it opens the recording itself')
    const { format, size } = await find(place)
    const ticket = await tickets.sign(subject(place), actor.session_sid)
    const address = `${recordingPath(place.account_sid, place.name)}?ticket=${ticket}`
    return { address, type: recordingType(format), size }
  }

  /** Refuses a ticket whose session has ended, or whose user may not read the calls of the account. */
  const checkTicket = async (ticket: string, place: Place) => {
    const session_sid = isSid(place.account_sid) ? await tickets.sessionOf(ticket, subject(place)) : undefined
    const actor = session_sid ? await actors.ofSession(session_sid) : undefined
    const service_provider_sid = (await accounts.providerOf(place.account_sid)) ?? null
    const owner = { service_provider_sid, account_sid: place.account_sid }
    if (!actor || !can(actor, 'read', 'recent_call', owner)) throw unauthorized(ticket)
  }

  const remove = async (actor: Actor, { account_sid, name }: Place) => {
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, 'remove', 'recent_call', { service_provider_sid, account_sid })
    if (!(await told(recordingArchive.remove(account_sid, name)))) throw await missing({ account_sid, name })
  }

  const withTicket = { checkSids: false, query }
  const signed = { checkSids: false, answer: signedRecording }

  mountRoute(app, recordingOfAccount.read, withTicket, async ({ actor, params, query: { ticket }, request, reply }) => {
    if (ticket !== undefined) {
      const place = { account_sid: params.account_sid, name: nameOf(params) }
      await checkTicket(ticket, place)
      return send(await find(place), request, reply)
    }
    if (!request.actor) throw unauthorized(request.token)
    return send(await find(await ofAccount(actor, params)), request, reply)
  })
  mountRoute(app, recordingOfProvider.read, { checkSids: false }, async ({ actor, params, request, reply }) =>
    send(await find(oneOf(await ofProvider(actor, params), 'read')), request, reply),
  )
  mountRoute(app, recordingOfAccount.remove, { checkSids: false }, async ({ actor, params }) =>
    remove(actor, await ofAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.remove, { checkSids: false }, async ({ actor, params }) =>
    remove(actor, oneOf(await ofProvider(actor, params), 'remove')),
  )
  mountRoute(app, recordingOfAccount.sign, signed, async ({ actor, params }) =>
    sign(actor, await ofAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.sign, signed, async ({ actor, params }) =>
    sign(actor, oneOf(await ofProvider(actor, params), 'read')),
  )
}
