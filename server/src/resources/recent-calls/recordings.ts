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
import type { Actor } from '@trunkline/contract/policy/actor'
import { recordingOfAccount, recordingOfProvider } from '@trunkline/contract/resources/recording'
import { signedRecording } from '@trunkline/contract/shapes/recording'
import { bind } from '../../http/bind'
import { unauthorized } from '../../http/credentials'
import { isSid, passGate } from '../../http/gate'
import { badRequest, notFound, Problem } from '../../http/problem'
import { wantedOf } from '../../http/range'
import { accountTenant, providerTenant } from '../../http/timed'
import type { FoundRecording } from '../../ports/recording-archive'
import { StorageFault } from '../../ports/recordings'
import type { Services } from '../../services'

type Parts = Record<keyof RecordingName, string>

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
  const wanted = wantedOf(request.headers.range, size)
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
  const { recordingArchive, accounts, callHistory, tickets } = services

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

  /** Below a provider: the account is that of the call. */
  const ofProvider = async (
    actor: Actor,
    { service_provider_sid, ...parts }: Parts & { service_provider_sid: string },
  ) => {
    const { tenant } = providerTenant(actor, 'recent_call', service_provider_sid)
    const name = nameOf(parts)
    const call = await callHistory.find(tenant, { call_sid: name.call_sid })
    if (!call?.account_sid) throw notFound()
    return { account_sid: call.account_sid, name }
  }

  type Place = Awaited<ReturnType<typeof ofAccount>>

  const find = async ({ account_sid, name }: Place) => {
    const found = await told(recordingArchive.find(account_sid, name))
    if (!found) throw notFound()
    return found
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

  const remove = async (actor: Actor, { account_sid, name }: Place) => {
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, 'remove', 'recent_call', { service_provider_sid, account_sid })
    if (!(await told(recordingArchive.remove(account_sid, name)))) throw notFound()
  }

  const withTicket = { checkSids: false, query }
  const signed = { checkSids: false, answer: signedRecording }

  bind(app, recordingOfAccount.read, withTicket, async ({ actor, params, query: { ticket }, request, reply }) => {
    if (ticket !== undefined) {
      const place = { account_sid: params.account_sid, name: nameOf(params) }
      if (!isSid(place.account_sid) || !(await tickets.opens(ticket, subject(place)))) throw unauthorized(ticket)
      return send(await find(place), request, reply)
    }
    if (!request.actor) throw unauthorized(request.token)
    return send(await find(await ofAccount(actor, params)), request, reply)
  })
  bind(app, recordingOfProvider.read, { checkSids: false }, async ({ actor, params, request, reply }) =>
    send(await find(await ofProvider(actor, params)), request, reply),
  )
  bind(app, recordingOfAccount.remove, { checkSids: false }, async ({ actor, params }) =>
    remove(actor, await ofAccount(actor, params)),
  )
  bind(app, recordingOfProvider.remove, { checkSids: false }, async ({ actor, params }) =>
    remove(actor, await ofProvider(actor, params)),
  )
  bind(app, recordingOfAccount.sign, signed, async ({ actor, params }) => sign(actor, await ofAccount(actor, params)))
  bind(app, recordingOfProvider.sign, signed, async ({ actor, params }) => sign(actor, await ofProvider(actor, params)))
}
