import { Transform, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOfFormat } from '../ports/audio-signature'
import {
  recordingName,
  recordingPath,
  type RecordFormat,
  type RecordingName,
} from '@trunkline/contract/calls/recording'
import { ingest } from '@trunkline/contract/messages/recording'
import { apiPrefix } from '../http/mount-route'
import { unauthorized } from '../http/credentials'
import { isSid } from '../http/gate'
import { badRequest, conflict, forbidden, notFound, Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import {
  QuotaReached,
  UploadInProgress,
  type IncomingRecording,
  type RecordingArchive,
} from '../ports/recording-archive'
import { StorageFull } from '../ports/unavailable'
import type { Writer, WriterOf } from './writer'
import { mayWriteFor, type ProviderOf } from './ownership'

export interface RecordingDoor {
  archive: RecordingArchive
  writerOf: WriterOf
  providerOf: ProviderOf
}

type Params = Record<keyof RecordingName, string> & { account_sid: string }

const mebibyte = 1024 * 1024
const mostMebibytes = 2048
/** The clocks and time zones of writers differ from ours, but not by more than this. */
const maxDaysAhead = 2
/** Enough of a file to tell what it is. */
const beginning = 12

const formats: Record<string, RecordFormat> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

const isFuture = ({ yyyy, mm, dd }: RecordingName): boolean =>
  Date.parse(`${yyyy}-${mm}-${dd}T00:00:00Z`) > Date.now() + maxDaysAhead * 86_400_000

const size = (bytes: number): string => {
  const gibibytes = bytes / 1024 ** 3
  return gibibytes < 1 ? `${Math.round(gibibytes * 1024)} MiB` : `${Math.round(gibibytes * 100) / 100} GiB`
}

const formatOf = ({ headers }: FastifyRequest): RecordFormat => {
  const format = formats[headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '']
  if (!format) throw new Problem(415, { msg: ingest.unsupported })
  return format
}

/** Lets a file through that is what it says and not too long. */
const checked = (format: RecordFormat) => {
  let head: Buffer | undefined = Buffer.alloc(0)
  let size = 0
  return new Transform({
    transform(part: Buffer, _, done) {
      size += part.length
      if (size > mostMebibytes * mebibyte) return done(new Problem(413, { msg: ingest.tooLarge(mostMebibytes) }))
      if (head === undefined) return done(null, part)
      head = Buffer.concat([head, part])
      if (head.length < beginning) return done()
      if (!isOfFormat[format](head)) return done(badRequest(ingest.notAudio(format)))
      const first = head
      head = undefined
      done(null, first)
    },
    flush(done) {
      done(head === undefined ? null : badRequest(ingest.notAudio(format)))
    },
  })
}

/** Keeps a file as it comes; one that breaks off, or is none, leaves nothing behind. */
const keep = async (body: Readable, format: RecordFormat, coming: IncomingRecording): Promise<void> => {
  const parts = checked(format)
  body.once('error', () => parts.destroy(badRequest(ingest.cut)))
  body.once('close', () => body.readableEnded || parts.destroy(badRequest(ingest.cut)))
  try {
    for await (const part of body.pipe(parts)) await coming.write(part as Buffer)
    await coming.end()
  } catch (error) {
    body.resume()
    await coming.drop()
    throw error
  }
}

/** The door for recordings that are files already. What stands at the address already stays. */
export const recordingUploadDoor = (app: FastifyInstance, { archive, writerOf, providerOf }: RecordingDoor): void => {
  const writers = new WeakMap<FastifyRequest, Writer>()

  const placeOf = async (request: FastifyRequest, writer: Writer) => {
    const { account_sid, ...parts } = request.params as Params
    const name = recordingName(parts)
    if (!name || !isSid(account_sid)) throw notFound()
    if (!(await mayWriteFor(writer, account_sid, providerOf))) {
      logSecurityEvent(request, 'write_refused', { reason: ingest.foreign })
      throw forbidden(ingest.foreign)
    }
    if (formatOf(request) !== name.format) throw badRequest(ingest.otherFormat)
    if (isFuture(name)) throw badRequest(ingest.future)
    return { account_sid, name }
  }

  void app.register((door, _, done) => {
    door.removeAllContentTypeParsers()
    // as it comes: nothing of it is gathered in memory
    door.addContentTypeParser('*', (_request, body, taken) => taken(null, body))
    door.route({
      method: 'PUT',
      url: `${apiPrefix}/Accounts/:account_sid/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format`,
      config: { isIngestRoute: true },
      schema: { hide: true },
      decompress: false,
      bodyLimit: mostMebibytes * mebibyte,
      onRequest: async (request, reply) => {
        const writer = await writerOf(request, reply)
        if (!writer) throw unauthorized(request.headers.authorization)
        writers.set(request, writer)
      },
      handler: async (request, reply) => {
        const writer = writers.get(request)
        if (!writer) throw unauthorized(undefined)
        const { account_sid, name } = await placeOf(request, writer)
        if (await archive.find(account_sid, name)) throw conflict(ingest.exists)
        try {
          await keep(request.body as Readable, name.format, await archive.startUpload(account_sid, name, {}))
        } catch (error) {
          if (error instanceof UploadInProgress)
            throw conflict((await archive.isKnown(account_sid, name)) ? ingest.exists : ingest.underway)
          if (error instanceof QuotaReached) throw new Problem(507, { msg: ingest.quota(size(error.maxBytes)) })
          if (error instanceof StorageFull) request.log.error(`A recording was refused: ${error.message}`)
          throw error
        }
        return reply.code(201).send({ recording_url: recordingPath(account_sid, name) })
      },
    })
    done()
  })
}
