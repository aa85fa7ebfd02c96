import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { getRecordingMimeType } from '@trunkline/contract/calls/recording'
import { recordingOfAccount, recordingOfProvider } from '@trunkline/contract/resources/recording'
import { recordingTicketSchema } from '@trunkline/contract/shapes/recording'
import type { Services } from '../../composition/services'
import { mountRoute } from '../../http/mount-route'
import { unauthorized } from '../../http/credentials'
import { Problem } from '../../http/problem'
import { parseRange } from '../../http/range-header'
import type { RecordingFile } from '../../ports/recording-store'
import { requireRecordingName, createRecordingLookup, withStorageErrors } from './recording-lookup'
import { createRecordingUrlSigner } from './signed-urls'

/** The timeout of a complete transfer from the storage. */
const transferTimeoutMs = 6 * 60 * 60_000

const ticketQuery = z.object({ ticket: z.string().optional() })

const emptyStream = () => new Blob([]).stream()

/** Sends a recording, or the requested range of it. */
const sendRecording = async (recording: RecordingFile, request: FastifyRequest, reply: FastifyReply) => {
  const { size, format } = recording
  const range = parseRange(request.headers.range, size)
  if (range === 'outside') throw new Problem(416, undefined, { 'content-range': `bytes */${size}` })
  const stream: Readable | ReadableStream =
    request.method === 'HEAD'
      ? emptyStream()
      : await withStorageErrors(recording.open(AbortSignal.timeout(transferTimeoutMs), range))
  // Set after opening, so that an error response has none of these headers.
  void reply.headers({ 'accept-ranges': 'bytes', 'content-type': getRecordingMimeType(format) })
  const { from, to } = range ?? { from: 0, to: size - 1 }
  void reply.header('content-length', String(to - from + 1))
  if (range) void reply.code(206).header('content-range', `bytes ${from}-${to}/${size}`)
  return stream
}

/** The routes that send and delete recordings, wherever the account stores them. */
export const recordingRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'recordingStore' | 'accounts' | 'actors' | 'callHistory' | 'tickets'>,
): void => {
  const recordings = createRecordingLookup(services)
  const urlSigner = createRecordingUrlSigner(services, recordings)
  const readSchemas = { requiresWellFormedSids: false, query: ticketQuery }
  const signSchemas = { requiresWellFormedSids: false, response: recordingTicketSchema }

  mountRoute(
    app,
    recordingOfAccount.read,
    readSchemas,
    async ({ actor, params, query: { ticket }, request, reply }) => {
      if (ticket !== undefined) {
        const reference = { account_sid: params.account_sid, name: requireRecordingName(params) }
        await urlSigner.checkTicket(ticket, reference)
        return sendRecording(await recordings.findFile(reference), request, reply)
      }
      if (!request.actor) throw unauthorized(request.token)
      return sendRecording(await recordings.findFile(await recordings.resolveInAccount(actor, params)), request, reply)
    },
  )
  mountRoute(
    app,
    recordingOfProvider.read,
    { requiresWellFormedSids: false },
    async ({ actor, params, request, reply }) =>
      sendRecording(
        await recordings.findFile(await recordings.resolveInProvider(actor, params, 'read')),
        request,
        reply,
      ),
  )

  mountRoute(app, recordingOfAccount.remove, { requiresWellFormedSids: false }, async ({ actor, params }) =>
    recordings.remove(actor, await recordings.resolveInAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.remove, { requiresWellFormedSids: false }, async ({ actor, params }) =>
    recordings.remove(actor, await recordings.resolveInProvider(actor, params, 'remove')),
  )

  mountRoute(app, recordingOfAccount.createTicket, signSchemas, async ({ actor, params }) =>
    urlSigner.create(actor, await recordings.resolveInAccount(actor, params)),
  )
  mountRoute(app, recordingOfProvider.createTicket, signSchemas, async ({ actor, params }) =>
    urlSigner.create(actor, await recordings.resolveInProvider(actor, params, 'read')),
  )
}
