import type { FastifyBaseLogger } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { ingest } from '@trunkline/contract/messages/recording'
import { toProblem } from '../http/error-handler'
import { QuotaReachedError, UploadInProgressError, type IncomingRecording } from '../ports/recording-store'
import { StorageFullError } from '../ports/service-errors'

/** A stream is paused while more bytes than this wait for the disk. */
const maxQueuedBytes = 1024 * 1024
/** A client that does not reply to a ping within this time is disconnected. */
const pingIntervalMs = 30_000
/** A stream without a first message is closed after this time. */
const firstMessageTimeoutMs = 30_000

/** WebSocket close codes. */
export const closeCodes = { goingAway: 1001, policyViolation: 1008, internalError: 1011, tryAgainLater: 1013 }

/** Closes a stream with this code and reason. */
export class StreamClosedError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export interface StreamHandlers {
  /** Starts the recording that the first message describes. */
  startRecording: (firstMessage: string) => Promise<IncomingRecording>
  /** Called when the socket is closed. The promise resolves when the recording is stored; it never rejects. */
  onClose: (completion: Promise<void>) => void
  log: FastifyBaseLogger
}

const toBuffer = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

/** Closes a socket, with the reason if the sender should know it. */
const closeAfterError = (socket: WebSocket, error: unknown, log: FastifyBaseLogger) => {
  if (error instanceof StreamClosedError) return socket.close(error.code, error.message)
  if (error instanceof UploadInProgressError) return socket.close(closeCodes.policyViolation, ingest.alreadyReceiving)
  if (error instanceof QuotaReachedError)
    return socket.close(closeCodes.policyViolation, 'the account has reached its limit of recordings')
  if (error instanceof StorageFullError) {
    log.error(`A recording was refused: ${error.message}`)
    return socket.close(closeCodes.tryAgainLater, 'the disk is full')
  }
  log.error({ err: error }, 'a recording failed')
  if (toProblem(error)?.status === 503)
    return socket.close(closeCodes.tryAgainLater, 'the server is not available at the moment')
  socket.close(closeCodes.internalError, 'the recording failed')
}

/** Runs steps one after the other, until one fails. Pauses the socket while too many bytes are queued. */
const createStepQueue = (socket: WebSocket, onError: (error: unknown) => void) => {
  let lastStep: Promise<unknown> = Promise.resolve()
  let queuedBytes = 0
  let hasFailed = false
  return {
    enqueue(sizeBytes: number, step: () => Promise<unknown>): void {
      queuedBytes += sizeBytes
      if (queuedBytes > maxQueuedBytes) socket.pause()
      lastStep = lastStep
        .then(() => (hasFailed ? undefined : step()))
        .catch((error: unknown) => {
          hasFailed = true
          onError(error)
        })
        .finally(() => {
          queuedBytes -= sizeBytes
          if (socket.isPaused && queuedBytes < maxQueuedBytes / 2) socket.resume()
        })
    },
    /** Resolves after the steps that are queued now. */
    waitUntilDone: () => lastStep,
    hasFailed: () => hasFailed,
  }
}

/** Disconnects a client that does not reply to pings or sends no first message. Returns a function that stops the timers. */
const watchClient = (socket: WebSocket, hasStarted: () => boolean): (() => void) => {
  let isAlive = true
  const pingTimer = setInterval(() => {
    // Replies to pings are not read while the socket is paused.
    if (socket.isPaused) return
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingIntervalMs)
  const firstMessageTimer = setTimeout(() => {
    if (!hasStarted()) socket.close(closeCodes.policyViolation, ingest.firstMessageTimeout)
  }, firstMessageTimeoutMs)
  socket.on('pong', () => (isAlive = true))
  return () => {
    clearInterval(pingTimer)
    clearTimeout(firstMessageTimer)
  }
}

/** Stores the audio that arrives on a socket. The first message describes the call, the others are audio. */
export const receiveStream = (socket: WebSocket, { startRecording, onClose, log }: StreamHandlers): void => {
  let recording: Promise<IncomingRecording> | undefined
  const queue = createStepQueue(socket, (error) => closeAfterError(socket, error, log))

  socket.on('message', (data, isBinary) => {
    const bytes = toBuffer(data)
    if (recording === undefined) {
      const startedRecording = isBinary
        ? Promise.reject(new StreamClosedError(closeCodes.policyViolation, ingest.firstMessage))
        : startRecording(bytes.toString())
      recording = startedRecording
      return queue.enqueue(bytes.length, () => startedRecording)
    }
    const currentRecording = recording
    // Text messages after the first one, for example about DTMF, are ignored: the trace of the call has this information.
    if (isBinary) queue.enqueue(bytes.length, async () => (await currentRecording).write(bytes))
  })
  socket.on('error', () => undefined)
  const stopWatching = watchClient(socket, () => recording !== undefined)
  socket.on('close', () => {
    stopWatching()
    const completion = queue
      .waitUntilDone()
      .then(() => recording)
      .then((incoming) => incoming?.end())
      .catch((error: unknown) => {
        if (!queue.hasFailed() && !(error instanceof StreamClosedError))
          log.error(`The end of a recording could not be stored: ${String(error)}`)
      })
    onClose(completion)
  })
}
