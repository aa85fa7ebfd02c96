import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { RecordingName } from '@trunkline/contract/calls/recording'
import { recordingName } from '@trunkline/contract/calls/recording'
import { ingest } from '@trunkline/contract/messages/recording'
import { isSid } from '../http/gate'
import { QuotaReached, UploadInProgress, type IncomingRecording } from '../ports/recording-archive'
import { StorageFull } from '../ports/unavailable'
import { byHeader, type Writer, type WriterByKey } from './writer'
import { mayWriteFor } from './ownership'
import type { RecordingDoor } from './recording-upload'
import { streamCounts } from './stream-limit'
import { serveAnyway } from './http-upgrade'

export interface StreamDoor extends Pick<RecordingDoor, 'archive' | 'providerOf'> {
  /** Who comes with this name and this password writes for everybody. */
  known: { username: string; password: string } | undefined
  /** Finds out who else may come in, by the headers of the request. */
  writerOf: WriterByKey
  /** Refuses a connection by its headers, before anything else is looked at. */
  isRefused?: (headers: IncomingHttpHeaders) => boolean
  /** Lines that the keys of one tenant may have open; 0: any number. */
  maxStreams: number
}

/** Bytes of one message: some seconds of sound. */
const mostBytes = 1024 * 1024
/** The line is not read any further while so much waits for the disk. */
const mostWaiting = 1024 * 1024
/** Somebody who is asked and does not answer is gone. Milliseconds. */
const askEvery = 30_000

/** A line on which nothing is said of a call is closed. */
const firstMessageTimeoutMs = 30_000

/** Numbers with which a line is closed. */
const closing = { gone: 1001, refused: 1008, failed: 1011, full: 1013 }

interface First {
  account_sid: string
  call_sid: string
  sampleRate: number
  about: Record<string, string>
}

const same = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What a writer says of the call before its first sound; undefined where that is not what it should be. */
export const firstMessage = (text: string): First | undefined => {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null) return undefined
  const { accountSid, callSid, sampleRate, ...others } = said as Record<string, unknown>
  const rate = Number(sampleRate)
  if (typeof accountSid !== 'string' || typeof callSid !== 'string' || !isSid(accountSid)) return undefined
  if (!Number.isInteger(rate) || rate < 4000 || rate > 192_000) return undefined
  const plain = Object.entries(others).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const about = Object.fromEntries(plain.map(([name, value]) => [name.slice(0, 64), value.slice(0, 255)]))
  return { account_sid: accountSid, call_sid: callSid, sampleRate: rate, about: { callSid, ...about } }
}

/** The name of a recording that begins now: its day is that of this machine. */
const nameNow = (call_sid: string, now = new Date()): RecordingName | undefined => {
  const two = (value: number) => String(value).padStart(2, '0')
  return recordingName({
    call_sid,
    yyyy: String(now.getFullYear()),
    mm: two(now.getMonth() + 1),
    dd: two(now.getDate()),
    format: 'wav',
  })
}

/** Why a line is closed, by us. */
class Closed extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

/** The door for recordings that are spoken at this moment: the platform's stream of sound, on any path with `/record/` in it. */
export const recordingStreamDoor = (app: FastifyInstance, door: StreamDoor): void => {
  const { archive, providerOf, known, writerOf, maxStreams } = door
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })
  const endings = new Set<Promise<void>>()
  const streams = streamCounts(maxStreams)

  const enter = async (request: IncomingMessage): Promise<Writer | undefined> => {
    if (door.isRefused?.(request.headers)) return undefined
    const { username, password } = byHeader(request.headers.authorization) ?? {}
    if (known && same(username ?? '', known.username) && same(password ?? '', known.password)) return { all: true }
    return writerOf(request.headers.authorization)
  }

  const begin = async (writer: Writer, text: string): Promise<IncomingRecording> => {
    const first = firstMessage(text)
    const name = first && nameNow(first.call_sid)
    if (!first || !name) throw new Closed(closing.refused, ingest.firstMessage)
    const { account_sid, about, sampleRate } = first
    if (!(await providerOf(account_sid))) throw new Closed(closing.refused, ingest.noAccount)
    if (!(await mayWriteFor(writer, account_sid, providerOf))) throw new Closed(closing.refused, ingest.foreign)
    return archive.startUpload(account_sid, name, about, { sampleRate })
  }

  const close = (socket: WebSocket, error: unknown) => {
    if (error instanceof Closed) return socket.close(error.code, error.message)
    if (error instanceof UploadInProgress) return socket.close(closing.refused, ingest.underway)
    if (error instanceof QuotaReached) return socket.close(closing.refused, 'the account may not keep more recordings')
    if (error instanceof StorageFull) {
      app.log.error(`A recording was refused: ${error.message}`)
      return socket.close(closing.full, 'the disk is full')
    }
    app.log.error({ err: error }, 'a recording failed')
    socket.close(closing.failed, 'the recording failed')
  }

  const listen = (socket: WebSocket, writer: Writer) => {
    let coming: Promise<IncomingRecording> | undefined
    let work: Promise<unknown> = Promise.resolve()
    let waiting = 0
    let failed = false
    let alive = true

    /** One after the other, and not more than a little at once. */
    const then = (size: number, step: () => Promise<unknown>) => {
      waiting += size
      if (waiting > mostWaiting) socket.pause()
      work = work
        .then(() => (failed ? undefined : step()))
        .catch((error: unknown) => {
          failed = true
          close(socket, error)
        })
        .finally(() => {
          waiting -= size
          if (socket.isPaused && waiting < mostWaiting / 2) socket.resume()
        })
    }

    socket.on('message', (data, binary) => {
      const bytes = bytesOf(data)
      if (coming === undefined) {
        coming = binary
          ? Promise.reject(new Closed(closing.refused, ingest.firstMessage))
          : begin(writer, bytes.toString())
        const begun = coming
        return then(bytes.length, () => begun)
      }
      // what is said beside the sound, as of keys that were pressed, is in the trace of the call
      const open = coming
      if (binary) then(bytes.length, async () => (await open).write(bytes))
    })
    const asking = setInterval(() => {
      if (!alive) return socket.terminate()
      alive = false
      socket.ping()
    }, askEvery)
    const waitingForFirst = setTimeout(() => {
      if (coming === undefined) socket.close(closing.refused, ingest.noFirstMessage)
    }, firstMessageTimeoutMs)
    socket.on('pong', () => (alive = true))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(asking)
      clearTimeout(waitingForFirst)
      const ending = work
        .then(() => coming)
        .then((recording) => recording?.end())
        .catch((error: unknown) => {
          if (!failed && !(error instanceof Closed)) app.log.error(`The end of a recording is lost: ${String(error)}`)
        })
        .finally(() => endings.delete(ending))
      endings.add(ending)
    })
  }

  const refuse = (socket: Duplex, status: '403 Forbidden' | '429 Too Many Requests') => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = () => socket.destroy()
    socket.on('error', gone)
    const writer = await enter(request).catch((error: unknown) => {
      app.log.error({ err: error }, 'a recording was refused')
      return undefined
    })
    if (!writer) return refuse(socket, '403 Forbidden')
    const release = streams.open(writer)
    if (!release) {
      app.log.warn('A recording was refused: RECORDING_MAX_STREAMS_PER_KEY are open for its tenant')
      return refuse(socket, '429 Too Many Requests')
    }
    socket.removeListener('error', gone)
    socket.once('close', release)
    sockets.handleUpgrade(request, socket, head, (accepted) => listen(accepted, writer))
  }

  const server = app.server
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (request.headers.upgrade?.toLowerCase() === 'websocket' && path.includes('/record/'))
      void upgrade(request, socket, head)
    else serveAnyway(server, request, socket, head)
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets.clients) socket.close(closing.gone, 'the server stops')
    await new Promise((done) => setTimeout(done, sockets.clients.size > 0 ? 200 : 0))
    for (const socket of sockets.clients) socket.terminate()
    await Promise.resolve()
    await Promise.all(endings)
  })
}
