import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  buildRecordingKey,
  parseRecordingName,
  buildRecordingPath,
  getRecordingMimeType,
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
import { parseRange } from '../../http/range-header'
import { accountTenant, providerTenant } from '../../http/timed-list'
import type { RecordingFile } from '../../ports/recording-store'
import { StorageError } from '../../ports/object-storage'
import type { Services } from '../../services'

type Parts = Record<keyof RecordingName, string>

interface RecordingReference {
  account_sid: string
  name: RecordingName
}

/** Timeout for the whole transfer from the storage. */
const transferTimeoutMs = 6 * 60 * 60_000

const query = z.object({ ticket: z.string().optional() })

/**
 * Turns storage errors into 404, the only refusal of a recording that existing clients know. The body has the reason.
 */
const withStorageErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageError ? new Problem(404, error.message) : error
  }
}

const emptyStream = () => new Blob([]).stream()

/** Sends a recording, or the requested range of it. */
const sendRecording = async (recording: RecordingFile, request: FastifyRequest, reply: FastifyReply) => {
  const { size, format } = recording
  const range = parseRange(request.headers.range, size)
  void reply.headers({ 'accept-ranges': 'bytes', 'content-type': getRecordingMimeType(format) })
  if (range === 'outside') throw new Problem(416, undefined, { 'content-range': `bytes */${size}` })
  const sentRange = range ?? { from: 0, to: size - 1 }
  void reply.header('content-length', String(sentRange.to - sentRange.from + 1))
  if (range) void reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${size}`)
  if (request.method === 'HEAD') return emptyStream()
  const stream: Readable = await withStorageErrors(recording.open(AbortSignal.timeout(transferTimeoutMs), range))
  return stream
}

/** Plays, downloads and deletes recordings, wherever the account stores them. */
export const recordingRoutes = (app: FastifyInstance, services: Services): void => {
  const { recordingStore, accounts, actors, callHistory, tickets } = services

  const parseName = (parts: Parts): RecordingName => {
    const name = parseRecordingName(parts)
    if (!name) throw notFound()
    return name
  }

  /** Checks access to the account's calls and parses the recording's name. */
  const authorizeAccount = async (actor: Actor, { account_sid, ...parts }: Parts & { account_sid: string }) => {
    await accountTenant(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
    return { account_sid, name: parseName(parts) }
  }

  /**
   * The accounts of a provider with a call of this SID, the newest call's account first. There may be several: an
   * account can write a record with the SID of another account's call, and must not hide that account's recording by
   * it.
   */
  const accountsWithCall = async (service_provider_sid: string, call_sid: string): Promise<string[]> => {
    const tenant = { service_provider_sid }
    const newest = await callHistory.find(tenant, { call_sid })
    if (!newest) return []
    const hasCall = async (account_sid: string) =>
      (await accounts.providerOf(account_sid)) === service_provider_sid &&
      (await callHistory.find({ account_sid }, { call_sid })) !== undefined
    const { rows } = await callHistory.calls(tenant, { page: 1, count: 100, text: call_sid })
    const accountSids = rows.flatMap((row) => (row.call_sid === call_sid && row.account_sid ? [row.account_sid] : []))
    const candidates = new Set([...accountSids, ...(await recordingStore.accountsOf(call_sid))])
    if (newest.account_sid) candidates.delete(newest.account_sid)
    const otherAccountSids = await Promise.all([...candidates].map(async (sid) => ((await hasCall(sid)) ? [sid] : [])))
    return [...(newest.account_sid ? [newest.account_sid] : []), ...otherAccountSids.flat()]
  }

  /** Finds the recording in the accounts of a provider that have a call of this SID. */
  const findOfProvider = async (
    actor: Actor,
    { service_provider_sid, ...parts }: Parts & { service_provider_sid: string },
  ) => {
    providerTenant(actor, 'recent_call', service_provider_sid)
    const name = parseName(parts)
    const sids = await accountsWithCall(service_provider_sid, name.call_sid)
    const references = sids.map((account_sid) => ({ account_sid, name }))
    const results = await Promise.allSettled(
      references.map((reference) => withStorageErrors(recordingStore.find(reference.account_sid, name))),
    )
    const available = references.filter((_, index) => {
      const result = results[index]
      return result?.status === 'fulfilled' && result.value !== undefined
    })
    // An unreachable bucket of one account must not hide a recording of another.
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (available.length === 0 && failure) throw failure.reason
    return available
  }

  /**
   * Returns the newest call's account for reading. Throws 409 for a deletion if several accounts have the recording.
   */
  const selectReference = (
    [reference, ...otherReferences]: RecordingReference[],
    action: 'read' | 'remove',
  ): RecordingReference => {
    if (!reference) throw notFound()
    if (action === 'remove' && otherReferences.length > 0) throw conflict(recordingMessages.ambiguous)
    return reference
  }

  const missingRecording = async ({ account_sid, name }: RecordingReference): Promise<Problem> =>
    (await recordingStore.isListed(account_sid, name)) ? new Problem(404, recordingMessages.otherServer) : notFound()

  const findRecording = async ({ account_sid, name }: RecordingReference) => {
    const results = await withStorageErrors(recordingStore.find(account_sid, name))
    if (!results) throw await missingRecording({ account_sid, name })
    return results
  }

  const ticketSubject = ({ account_sid, name }: RecordingReference) =>
    `${account_sid.toLowerCase()}/${buildRecordingKey(name)}`

  const createSignedUrl = async (actor: Actor, reference: RecordingReference) => {
    if (!actor.session_sid) throw badRequest('an API key needs no recording ticket: it can open the recording directly')
    const { format, size } = await findRecording(reference)
    const ticket = await tickets.sign(ticketSubject(reference), actor.session_sid)
    const url = `${buildRecordingPath(reference.account_sid, reference.name)}?ticket=${ticket}`
    return { address: url, type: getRecordingMimeType(format), size }
  }

  /** Throws 401 if the ticket's session has ended or its user may not read the account's calls. */
  const checkTicket = async (ticket: string, reference: RecordingReference) => {
    const session_sid = isSid(reference.account_sid)
      ? await tickets.sessionOf(ticket, ticketSubject(reference))
      : undefined
    const actor = session_sid ? await actors.findBySession(session_sid) : undefined
    const service_provider_sid = (await accounts.providerOf(reference.account_sid)) ?? null
    const owner = { service_provider_sid, account_sid: reference.account_sid }
    if (!actor || !can(actor, 'read', 'recent_call', owner)) throw unauthorized(ticket)
  }

  const removeRecording = async (actor: Actor, { account_sid, name }: RecordingReference) => {
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, 'remove', 'recent_call', { service_provider_sid, account_sid })
    if (!(await withStorageErrors(recordingStore.remove(account_sid, name))))
      throw await missingRecording({ account_sid, name })
  }

  const readShapes = { checkSids: false, query }
  const signShapes = { checkSids: false, response: signedRecording }

  mountRoute(app, recordingOfAccount.read, readShapes, async ({ actor, params, query: { ticket }, request, reply }) => {
    if (ticket !== undefined) {
      const reference = { account_sid: params.account_sid, name: parseName(params) }
      await checkTicket(ticket, reference)
      return sendRecording(await findRecording(reference), request, reply)
    }
    if (!request.actor) throw unauthorized(request.token)
    return sendRecording(await findRecording(await authorizeAccount(actor, params)), request, reply)
  })
  mountRoute(app, recordingOfProvider.read, { checkSids: false }, async ({ actor, params, request, reply }) =>
    sendRecording(await findRecording(selectReference(await findOfProvider(actor, params), 'read')), request, reply),
  )
  mountRoute(app, recordingOfAccount.remove, { checkSids: false }, async ({ actor, params }) =>
    removeRecording(actor, await authorizeAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.remove, { checkSids: false }, async ({ actor, params }) =>
    removeRecording(actor, selectReference(await findOfProvider(actor, params), 'remove')),
  )
  mountRoute(app, recordingOfAccount.sign, signShapes, async ({ actor, params }) =>
    createSignedUrl(actor, await authorizeAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.sign, signShapes, async ({ actor, params }) =>
    createSignedUrl(actor, selectReference(await findOfProvider(actor, params), 'read')),
  )
}
