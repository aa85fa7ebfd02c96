import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listScopeSpans, type ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { ingest } from '@trunkline/contract/messages/trace'
import { toProblem } from '../http/error-handler'
import { unauthorized } from '../http/credentials'
import { Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import type { TraceStore } from '../ports/traces'
import { StorageFullError } from '../ports/service-errors'
import type { WriterLookup } from './writer'
import { MalformedRequestError } from './otlp-format'
import { readJsonRequest } from './otlp-json'
import { groupSpansByTrace } from './otlp-trace-parts'
import { readProtobufRequest, encodeStatus, encodeResponse } from './otlp-protobuf'
import type { ProviderLookup } from './point-owner'
import { createBodyReservations, type ReservedBody } from './reserved-body'
import type { IngestQuota } from './quota'
import { createStorageLog } from './storage-log'

/** Dependencies of the OTLP route. */
export interface OtlpRouteOptions {
  /** Absent if traces are stored elsewhere. */
  store: TraceStore | undefined
  findWriter: WriterLookup
  findProvider: ProviderLookup
  quota: IngestQuota
}

const protobufType = 'application/x-protobuf'
const jsonType = 'application/json'

/** Maximum bytes of a request, compressed and decompressed: several thousand spans. */
const maxBodyBytes = 6 * 1024 * 1024

/** gRPC status codes by HTTP status; 13 (internal error) for all others. */
const grpcCodes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 413: 11, 415: 3, 429: 8, 503: 14 }
/** Messages that replace those of the framework. */
const errorMessages: Record<number, string> = { 413: ingest.tooLarge, 415: ingest.unsupported }

const readContentType = ({ headers }: FastifyRequest): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Responds in the encoding of the request, as the protocol demands. */
const sendEncoded = (
  request: FastifyRequest,
  reply: FastifyReply,
  encodeProtobuf: () => Uint8Array,
  jsonBody: object,
) =>
  readContentType(request) === protobufType
    ? reply.type(protobufType).send(Buffer.from(encodeProtobuf()))
    : reply.type(jsonType).serializer(JSON.stringify).send(jsonBody)

const findProblemMessage = ({ body, message }: Problem): string =>
  typeof body === 'object' && 'msg' in body ? String(body.msg) : message

const decompressors = { gzip: promisify(gunzip), deflate: promisify(inflate) }

/** Reads the body and decompresses it, with a limit on the decompressed size. */
const readBody = async ({ body, headers }: FastifyRequest): Promise<Buffer> => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return bytes
  if (encoding !== 'gzip' && encoding !== 'deflate') throw new Problem(415, { msg: ingest.unsupported })
  try {
    return await decompressors[encoding](bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Problem(isTooLarge ? 413 : 400, { msg: ingest.invalidEncoding(encoding) })
  }
}

const parseRequest = async (request: FastifyRequest, countBytes: (bytes: number) => void) => {
  const type = readContentType(request)
  const parse = { [protobufType]: readProtobufRequest, [jsonType]: readJsonRequest }[type]
  if (!parse) throw new Problem(415, { msg: ingest.unsupported })
  const bytes = await readBody(request)
  countBytes(bytes.length)
  try {
    return parse(bytes)
  } catch (error) {
    if (!(error instanceof MalformedRequestError)) throw error
    throw new Problem(400, {
      msg: `${type === jsonType ? ingest.invalidJson : ingest.invalidProtobuf}: ${error.message}`,
    })
  }
}

const countSpans = (resources: readonly ResourceSpans[]): number =>
  resources.flatMap(listScopeSpans).reduce((sum, { spans = [] }) => sum + spans.length, 0)

/** Registers the route for spans: OpenTelemetry's protocol over HTTP, in protobuf and JSON, at the exporters' default path. */
export const otlpRoutes = (
  app: FastifyInstance,
  { store, findWriter, findProvider, quota }: OtlpRouteOptions,
): void => {
  const bodyReservations = createBodyReservations(quota, maxBodyBytes, 'spans')
  const storageStatus = createStorageLog('spans')

  const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!store) throw new Problem(404, { msg: ingest.readsFromJaeger })
    const writer = await findWriter(request, reply)
    if (!writer) throw unauthorized(request.headers.authorization)
    bodyReservations.reserve(request, reply, writer)
  }

  const storeSpans = async (request: FastifyRequest, traceStore: TraceStore, { writer, reservation }: ReservedBody) => {
    const resources = await parseRequest(request, (bytes) => reservation.settle({ bytes }))
    const spans = countSpans(resources)
    reservation.add({ spans })
    reservation.settle({ spans })
    const { parts, rejectedCount, lastReason } = await groupSpansByTrace(writer, resources, findProvider)
    if (rejectedCount > 0) logSecurityEvent(request, 'write_refused', { reason: `spans refused: ${rejectedCount}` })
    if (parts.length > 0) {
      await traceStore.addParts(parts)
      storageStatus.reportStored(request.log)
    }
    return { rejectedCount, lastReason }
  }

  const ingestSpans = async (request: FastifyRequest, reply: FastifyReply) => {
    const reservedBody = bodyReservations.take(request)
    if (!store || !reservedBody) throw unauthorized(undefined)
    const { rejectedCount, lastReason } = await storeSpans(request, store, reservedBody).finally(
      reservedBody.reservation.release,
    )
    const jsonBody =
      rejectedCount > 0 ? { partialSuccess: { rejectedSpans: rejectedCount, errorMessage: lastReason } } : {}
    return sendEncoded(request, reply, () => encodeResponse(rejectedCount, lastReason), jsonBody)
  }

  void app.register((scopedApp, _, done) => {
    scopedApp.removeAllContentTypeParsers()
    scopedApp.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, bytes, onParsed) =>
      onParsed(null, bytes),
    )
    scopedApp.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, request) ?? new Problem(500, { msg: 'internal error' })
      if (error instanceof StorageFullError) storageStatus.reportFull(request.log, error.message)
      else if (problem.status >= 500) request.log.error({ err: error }, 'spans were not stored')
      const message = errorMessages[problem.status] ?? findProblemMessage(problem)
      const code = grpcCodes[problem.status] ?? 13
      void reply.code(problem.status).headers(problem.headers)
      return sendEncoded(request, reply, () => encodeStatus(code, message), { code, message })
    })
    scopedApp.route({
      method: 'POST',
      url: '/v1/traces',
      // The handler decompresses bodies itself, with a limit on the decompressed size.
      config: { isIngestRoute: true },
      schema: { hide: true },
      logLevel: 'warn',
      decompress: false,
      // Runs before the body is read, so unauthorized requests use no memory.
      onRequest: authenticate,
      handler: ingestSpans,
    })
    done()
  })
}
