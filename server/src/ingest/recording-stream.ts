import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { RecordingName } from '@trunkline/contract/calls/recording'
import { parseRecordingName } from '@trunkline/contract/calls/recording'
import { ingest } from '@trunkline/contract/messages/recording'
import { isSid } from '../http/gate'
import { QuotaReachedError, UploadInProgressError, type IncomingRecording } from '../ports/recording-store'
import { StorageFullError } from '../ports/service-errors'
import { parseAuthorization, type Writer, type WriterByHeader } from './writer'
import { mayWriteFor } from './point-owner'
import type { RecordingUploadOptions } from './recording-upload'
import { streamLimit } from './stream-limit'
import { serveWithoutUpgrade } from './http-upgrade'

export interface RecordingStreamOptions extends Pick<RecordingUploadOptions, 'recordingStore' | 'findProvider'> {
  /** The platform's credentials. They allow writing for everybody. */
  platformCredentials: { username: string; password: string } | undefined
  /** Finds other writers by the Authorization header. */
  findWriter: WriterByHeader
  /** Rejects connections by their headers, before any other check. */
  isRejected?: (headers: IncomingHttpHeaders) => boolean
  /** Maximum open streams per tenant; 0: unlimited. */
  maxStreams: number
}

/** Maximum bytes of one message: several seconds of audio. */
const maxMessageBytes = 1024 * 1024
/** A stream is paused while more bytes than this wait for the disk. */
const maxQueuedBytes = 1024 * 1024
/** A peer that does not answer a ping within this time is disconnected. */
const pingIntervalMs = 30_000

/** A stream without a first message is closed after this time. */
const firstMessageTimeoutMs = 30_000

/** WebSocket close codes. */
const closeCodes = { goingAway: 1001, policyViolation: 1008, internalError: 1011, tryAgainLater: 1013 }

interface StreamStart {
  account_sid: string
  call_sid: string
  sampleRate: number
  metadata: Record<string, string>
}

const isEqual = (actual: string, expected: string) => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Parses the message with the call's metadata, which precedes the audio; undefined if it is invalid. */
export const parseStreamStart = (text: string): StreamStart | undefined => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof json !== 'object' || json === null) return undefined
  const { accountSid, callSid, sampleRate, ...otherFields } = json as Record<string, unknown>
  const rate = Number(sampleRate)
  if (typeof accountSid !== 'string' || typeof callSid !== 'string' || !isSid(accountSid)) return undefined
  if (!Number.isInteger(rate) || rate < 4000 || rate > 192_000) return undefined
  const textFields = Object.entries(otherFields).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const metadata = Object.fromEntries(textFields.map(([name, value]) => [name.slice(0, 64), value.slice(0, 255)]))
  return { account_sid: accountSid, call_sid: callSid, sampleRate: rate, metadata: { callSid, ...metadata } }
}

/** The name of a recording that starts now, with the date of this machine. */
const currentName = (call_sid: string, now = new Date()): RecordingName | undefined => {
  const pad = (value: number) => String(value).padStart(2, '0')
  return parseRecordingName({
    call_sid,
    yyyy: String(now.getFullYear()),
    mm: pad(now.getMonth() + 1),
    dd: pad(now.getDate()),
    format: 'wav',
  })
}

/** The reason why the server closes a stream. */
class StreamClosedError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

/** Accepts live recordings: the platform's audio stream, on any path that contains `/record/`. */
export const recordingStreamRoute = (app: FastifyInstance, options: RecordingStreamOptions): void => {
  const { recordingStore, findProvider, platformCredentials, findWriter, maxStreams } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false })
  const endings = new Set<Promise<void>>()
  const streams = streamLimit(maxStreams)

  const authenticate = async (request: IncomingMessage): Promise<Writer | undefined> => {
    if (options.isRejected?.(request.headers)) return undefined
    const { username, password } = parseAuthorization(request.headers.authorization) ?? {}
    if (
      platformCredentials &&
      isEqual(username ?? '', platformCredentials.username) &&
      isEqual(password ?? '', platformCredentials.password)
    )
      return { all: true }
    return findWriter(request.headers.authorization)
  }

  const startRecording = async (writer: Writer, text: string): Promise<IncomingRecording> => {
    const streamStart = parseStreamStart(text)
    const name = streamStart && currentName(streamStart.call_sid)
    if (!streamStart || !name) throw new StreamClosedError(closeCodes.policyViolation, ingest.firstMessage)
    const { account_sid, metadata, sampleRate } = streamStart
    if (!(await findProvider(account_sid)))
      throw new StreamClosedError(closeCodes.policyViolation, ingest.unknownAccount)
    if (!(await mayWriteFor(writer, account_sid, findProvider)))
      throw new StreamClosedError(closeCodes.policyViolation, ingest.foreignAccount)
    return recordingStore.start(account_sid, name, metadata, { sampleRate })
  }

  const close = (socket: WebSocket, error: unknown) => {
    if (error instanceof StreamClosedError) return socket.close(error.code, error.message)
    if (error instanceof UploadInProgressError) return socket.close(closeCodes.policyViolation, ingest.alreadyRecording)
    if (error instanceof QuotaReachedError)
      return socket.close(closeCodes.policyViolation, 'the account has reached its limit of recordings')
    if (error instanceof StorageFullError) {
      app.log.error(`A recording was refused: ${error.message}`)
      return socket.close(closeCodes.tryAgainLater, 'the disk is full')
    }
    app.log.error({ err: error }, 'a recording failed')
    socket.close(closeCodes.internalError, 'the recording failed')
  }

  const receiveStream = (socket: WebSocket, writer: Writer) => {
    let incoming: Promise<IncomingRecording> | undefined
    let work: Promise<unknown> = Promise.resolve()
    let queuedBytes = 0
    let hasFailed = false
    let isAlive = true

    /** Runs steps one after the other. Pauses the socket if too much is queued. */
    const enqueue = (size: number, step: () => Promise<unknown>) => {
      queuedBytes += size
      if (queuedBytes > maxQueuedBytes) socket.pause()
      work = work
        .then(() => (hasFailed ? undefined : step()))
        .catch((error: unknown) => {
          hasFailed = true
          close(socket, error)
        })
        .finally(() => {
          queuedBytes -= size
          if (socket.isPaused && queuedBytes < maxQueuedBytes / 2) socket.resume()
        })
    }

    socket.on('message', (data, binary) => {
      const bytes = bytesOf(data)
      if (incoming === undefined) {
        incoming = binary
          ? Promise.reject(new StreamClosedError(closeCodes.policyViolation, ingest.firstMessage))
          : startRecording(writer, bytes.toString())
        const recordingPromise = incoming
        return enqueue(bytes.length, () => recordingPromise)
      }
      // Text messages during the audio, for example DTMF, are in the trace of the call.
      const recordingPromise = incoming
      if (binary) enqueue(bytes.length, async () => (await recordingPromise).write(bytes))
    })
    const pingTimer = setInterval(() => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      socket.ping()
    }, pingIntervalMs)
    const firstMessageTimer = setTimeout(() => {
      if (incoming === undefined) socket.close(closeCodes.policyViolation, ingest.firstMessageTimeout)
    }, firstMessageTimeoutMs)
    socket.on('pong', () => (isAlive = true))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(pingTimer)
      clearTimeout(firstMessageTimer)
      const ending = work
        .then(() => incoming)
        .then((recording) => recording?.end())
        .catch((error: unknown) => {
          if (!hasFailed && !(error instanceof StreamClosedError))
            app.log.error(`The end of a recording could not be stored: ${String(error)}`)
        })
        .finally(() => endings.delete(ending))
      endings.add(ending)
    })
  }

  const refuse = (socket: Duplex, status: '403 Forbidden' | '429 Too Many Requests') => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const destroy = () => socket.destroy()
    socket.on('error', destroy)
    const writer = await authenticate(request).catch((error: unknown) => {
      app.log.error({ err: error }, 'a recording was refused')
      return undefined
    })
    if (!writer) return refuse(socket, '403 Forbidden')
    const release = streams.acquire(writer)
    if (!release) {
      app.log.warn('A recording was refused: its tenant has reached RECORDING_MAX_STREAMS_PER_KEY')
      return refuse(socket, '429 Too Many Requests')
    }
    socket.removeListener('error', destroy)
    socket.once('close', release)
    sockets.handleUpgrade(request, socket, head, (webSocket) => receiveStream(webSocket, writer))
  }

  const server = app.server
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (request.headers.upgrade?.toLowerCase() === 'websocket' && path.includes('/record/'))
      void upgrade(request, socket, head)
    else serveWithoutUpgrade(server, request, socket, head)
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets.clients) socket.close(closeCodes.goingAway, 'the server stops')
    await new Promise((done) => setTimeout(done, sockets.clients.size > 0 ? 200 : 0))
    for (const socket of sockets.clients) socket.terminate()
    await Promise.resolve()
    await Promise.all(endings)
  })
}
