import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { ingest } from '@trunkline/contract/messages/recording'
import { toProblem } from '../http/error-handler'
import { Problem } from '../http/problem'
import type { IncomingRecording } from '../ports/recording-store'
import { serveWithoutUpgrade } from './http-upgrade'
import { mayWriteFor } from './point-owner'
import type { RecordingUploadOptions } from './recording-upload'
import { createStreamLimit } from './stream-limit'
import { closeCodes, receiveStream, StreamClosedError } from './stream-receiver'
import { parseStreamStart, buildRecordingNameAt } from './stream-start'
import { parseAuthorization, writerForAllTenants, type Writer, type HeaderWriterLookup } from './writer'

export interface RecordingStreamOptions extends Pick<RecordingUploadOptions, 'recordingStore' | 'findProvider'> {
  /** The platform's credentials. They allow recordings of all accounts. */
  platformCredentials: { username: string; password: string } | undefined
  /** Finds other writers by the Authorization header. */
  findWriter: HeaderWriterLookup
  /** Rejects connections by their headers, before any other check. */
  isRejected?: (headers: IncomingHttpHeaders) => boolean
  /** Maximum open streams per tenant; 0: unlimited. */
  maxStreams: number
}

/** Maximum bytes of one message: several seconds of audio. */
const maxMessageBytes = 1024 * 1024
/** How long clients have to close their connections when the server stops. */
const closeTimeoutMs = 200

const isEqualInConstantTime = (actual: string, expected: string) => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Finds the writer of a stream: the platform by its credentials, others by their API key. */
const findStreamWriter = async (
  { headers }: IncomingMessage,
  { isRejected, platformCredentials, findWriter }: RecordingStreamOptions,
): Promise<Writer | undefined> => {
  if (isRejected?.(headers)) return undefined
  const { username, password } = parseAuthorization(headers.authorization)
  if (
    platformCredentials &&
    isEqualInConstantTime(username, platformCredentials.username) &&
    isEqualInConstantTime(password, platformCredentials.password)
  )
    return writerForAllTenants
  return findWriter(headers.authorization)
}

/** Starts the recording that the first message describes. Throws StreamClosedError if the writer may not record it. */
const startRecording = async (
  writer: Writer,
  firstMessage: string,
  { recordingStore, findProvider }: RecordingStreamOptions,
): Promise<IncomingRecording> => {
  const streamStart = parseStreamStart(firstMessage)
  const name = streamStart && buildRecordingNameAt(streamStart.call_sid)
  if (!streamStart || !name) throw new StreamClosedError(closeCodes.policyViolation, ingest.firstMessage)
  const { account_sid, metadata, sampleRate } = streamStart
  if (!(await findProvider(account_sid))) throw new StreamClosedError(closeCodes.policyViolation, ingest.unknownAccount)
  if (!(await mayWriteFor(writer, account_sid, findProvider)))
    throw new StreamClosedError(closeCodes.policyViolation, ingest.foreignAccount)
  return recordingStore.startRecording(account_sid, name, metadata, { sampleRate })
}

const refuseUpgrade = (socket: Duplex, status: number, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}

/** Accepts WebSockets with live recordings, the platform's audio streams, on any path that contains `/record/`. */
export const recordingStreamRoute = (app: FastifyInstance, options: RecordingStreamOptions): void => {
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false })
  const unfinishedRecordings = new Set<Promise<void>>()
  const streamLimit = createStreamLimit(options.maxStreams)
  let isClosing = false

  const trackRecording = (completion: Promise<void>) => {
    unfinishedRecordings.add(completion)
    void completion.finally(() => unfinishedRecordings.delete(completion))
  }

  const acceptUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const destroy = () => socket.destroy()
    socket.on('error', destroy)
    let writer: Writer | undefined
    try {
      writer = await findStreamWriter(request, options)
    } catch (error) {
      app.log.error({ err: error }, 'a recording was refused')
      const { status, headers } = toProblem(error) ?? new Problem(500)
      return refuseUpgrade(socket, status, headers)
    }
    if (isClosing) return refuseUpgrade(socket, 503)
    if (!writer) return refuseUpgrade(socket, 403)
    // A client that left meanwhile must not count as a stream: its socket emits no further 'close'.
    if (socket.destroyed) return
    const releaseStream = streamLimit.acquire(writer)
    if (!releaseStream) {
      app.log.warn('A recording was refused: its tenant has reached RECORDING_MAX_STREAMS_PER_KEY')
      return refuseUpgrade(socket, 429)
    }
    socket.removeListener('error', destroy)
    socket.once('close', releaseStream)
    webSockets.handleUpgrade(request, socket, head, (webSocket) =>
      receiveStream(webSocket, {
        startRecording: (firstMessage) => startRecording(writer, firstMessage, options),
        onClose: trackRecording,
        log: app.log,
      }),
    )
  }

  const server = app.server
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (request.headers.upgrade?.toLowerCase() === 'websocket' && path.includes('/record/'))
      void acceptUpgrade(request, socket, head)
    else serveWithoutUpgrade(server, request, socket, head)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    const { clients } = webSockets
    for (const client of clients) client.close(closeCodes.goingAway, 'the server stops')
    await new Promise((resolve) => setTimeout(resolve, clients.size > 0 ? closeTimeoutMs : 0))
    const closings = [...clients].map((client) => new Promise((resolve) => client.once('close', resolve)))
    for (const client of clients) client.terminate()
    // Closing a socket adds its recording to the unfinished ones.
    await Promise.all(closings)
    await Promise.all(unfinishedRecordings)
  })
}
