import { Transform, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasFormat } from '../ports/audio-signature'
import {
  parseRecordingName,
  buildRecordingPath,
  type RecordFormat,
  type RecordingName,
} from '@trunkline/contract/calls/recording'
import { ingest } from '@trunkline/contract/messages/recording'
import { apiPrefix } from '../http/mount-route'
import { unauthorized } from '../http/credentials'
import { isSid } from '../http/tenant-access'
import { badRequest, conflict, forbidden, notFound, Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import {
  QuotaReachedError,
  UploadInProgressError,
  type IncomingRecording,
  type RecordingStore,
} from '../ports/recording-store'
import { StorageError } from '../ports/object-storage'
import { StorageFullError, UnavailableError } from '../ports/service-errors'
import type { Writer, WriterLookup } from './writer'
import { mayWriteFor, type ProviderLookup } from './point-owner'

export interface RecordingUploadOptions {
  recordingStore: RecordingStore
  findWriter: WriterLookup
  findProvider: ProviderLookup
}

type Params = Record<keyof RecordingName, string> & { account_sid: string }

const bytesPerMebibyte = 1024 * 1024
const maxMebibytes = 2048
/** How far clocks and time zones of writers may be ahead. */
const maxDaysAhead = 2
/** Bytes that identify the file format. */
const signatureBytes = 12

const formatByContentType: Record<string, RecordFormat> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

const isFuture = ({ yyyy, mm, dd }: RecordingName): boolean =>
  Date.parse(`${yyyy}-${mm}-${dd}T00:00:00Z`) > Date.now() + maxDaysAhead * 86_400_000

const formatSize = (bytes: number): string => {
  const gibibytes = bytes / 1024 ** 3
  return gibibytes < 1 ? `${Math.round(gibibytes * 1024)} MiB` : `${Math.round(gibibytes * 100) / 100} GiB`
}

const readRequestedFormat = ({ headers }: FastifyRequest): RecordFormat => {
  const format = formatByContentType[headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '']
  if (!format) throw new Problem(415, { msg: ingest.unsupported })
  return format
}

/** Creates a stream that passes a file through if its content matches the format and its size is allowed. */
const createFileValidator = (format: RecordFormat) => {
  /** The bytes before the format is checked; undefined afterwards. */
  let firstBytes: Buffer | undefined = Buffer.alloc(0)
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > maxMebibytes * bytesPerMebibyte) return done(new Problem(413, { msg: ingest.tooLarge(maxMebibytes) }))
      if (firstBytes === undefined) return done(null, chunk)
      firstBytes = Buffer.concat([firstBytes, chunk])
      if (firstBytes.length < signatureBytes) return done()
      if (!hasFormat[format](firstBytes)) return done(badRequest(ingest.notAudio(format)))
      const checkedBytes = firstBytes
      firstBytes = undefined
      done(null, checkedBytes)
    },
    flush(done) {
      done(firstBytes === undefined ? null : badRequest(ingest.notAudio(format)))
    },
  })
}

/** Stores a file while it arrives. An incomplete or invalid file is discarded. */
const storeUpload = async (body: Readable, format: RecordFormat, incoming: IncomingRecording): Promise<void> => {
  const fileStream = createFileValidator(format)
  const failIfIncomplete = () => {
    if (!body.readableEnded) fileStream.destroy(badRequest(ingest.incomplete))
  }
  body.once('error', failIfIncomplete)
  body.once('close', failIfIncomplete)
  // The client may have left while the recording was started.
  if (body.destroyed) failIfIncomplete()
  try {
    for await (const chunk of body.pipe(fileStream)) await incoming.write(chunk as Buffer)
    await incoming.end()
  } catch (error) {
    body.resume()
    await incoming.discard()
    throw error
  }
}

/** Registers the route for recordings that are complete files. Existing recordings are never replaced. */
export const recordingUploadRoutes = (
  app: FastifyInstance,
  { recordingStore, findWriter, findProvider }: RecordingUploadOptions,
): void => {
  const writers = new WeakMap<FastifyRequest, Writer>()

  const resolveTarget = async (request: FastifyRequest, writer: Writer) => {
    const { account_sid, ...nameFields } = request.params as Params
    const name = parseRecordingName(nameFields)
    if (!name || !isSid(account_sid)) throw notFound()
    if (!(await mayWriteFor(writer, account_sid, findProvider))) {
      logSecurityEvent(request, 'write_refused', { reason: ingest.foreignAccount })
      throw forbidden(ingest.foreignAccount)
    }
    if (readRequestedFormat(request) !== name.format) throw badRequest(ingest.formatMismatch)
    if (isFuture(name)) throw badRequest(ingest.futureDate)
    return { account_sid, name }
  }

  /** Whether the account has this recording. If its bucket cannot be read, the writer has to send the recording again. */
  const isStored = async (account_sid: string, name: RecordingName): Promise<boolean> => {
    try {
      return (await recordingStore.findRecording(account_sid, name)) !== undefined
    } catch (error) {
      throw error instanceof StorageError ? new UnavailableError(ingest.bucketUnavailable(error.message)) : error
    }
  }

  void app.register((scopedApp, _, done) => {
    scopedApp.removeAllContentTypeParsers()
    // Streams the body instead of buffering it.
    scopedApp.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scopedApp.route({
      method: 'PUT',
      url: `${apiPrefix}/Accounts/:account_sid/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format`,
      config: { isIngestRoute: true },
      schema: { hide: true },
      decompress: false,
      bodyLimit: maxMebibytes * bytesPerMebibyte,
      onRequest: async (request, reply) => {
        const writer = await findWriter(request, reply)
        if (!writer) throw unauthorized(request.headers.authorization)
        writers.set(request, writer)
      },
      handler: async (request, reply) => {
        const writer = writers.get(request)
        if (!writer) throw unauthorized(undefined)
        const { account_sid, name } = await resolveTarget(request, writer)
        if (await isStored(account_sid, name)) throw conflict(ingest.exists)
        try {
          await storeUpload(
            request.body as Readable,
            name.format,
            await recordingStore.startRecording(account_sid, name, {}),
          )
        } catch (error) {
          if (error instanceof UploadInProgressError)
            throw conflict(
              (await recordingStore.isKnownButMissing(account_sid, name)) ? ingest.exists : ingest.alreadyReceiving,
            )
          if (error instanceof QuotaReachedError)
            throw new Problem(507, { msg: ingest.quota(formatSize(error.maxBytes)) })
          if (error instanceof StorageFullError) request.log.error(`A recording was refused: ${error.message}`)
          throw error
        }
        return reply.code(201).send({ recording_url: buildRecordingPath(account_sid, name) })
      },
    })
    done()
  })
}
