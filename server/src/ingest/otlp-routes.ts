import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { scopeSpansOf, type ResourceSpans } from '@trunkline/contract/calls/spans-wire'
import { ingest } from '@trunkline/contract/messages/trace'
import { toProblem } from '../http/errors'
import { unauthorized } from '../http/credentials'
import { Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import type { TraceStore } from '../ports/traces'
import { StorageFull } from '../ports/unavailable'
import type { Writer, WriterOf } from './writer'
import { Malformed } from './otlp-format'
import { fromJson } from './otlp-json'
import { sortSpans } from './otlp-trace-parts'
import { fromProtobuf, statusBytes, successBytes } from './otlp-protobuf'
import type { ProviderOf } from './ownership'
import type { IngestQuota } from './quota'

/** What the door needs of the house. */
export interface OtlpDoor {
  /** Absent: traces are kept elsewhere. */
  store: TraceStore | undefined
  writerOf: WriterOf
  providerOf: ProviderOf
  quota: IngestQuota
}

const protobuf = 'application/x-protobuf'
const json = 'application/json'

/** Bytes of a request, as it comes and unpacked: some thousand spans. */
const mostBytes = 6 * 1024 * 1024

/** The protocol's own numbers for what went wrong. */
const codes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 413: 11, 415: 3, 429: 8, 503: 14 }
/** What the framework says in words of its own. */
const refusals: Record<number, string> = { 413: ingest.tooLarge, 415: ingest.unsupported }

const typeOf = ({ headers }: FastifyRequest): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Answers in the encoding in which was asked, as the protocol wants it. */
const send = (request: FastifyRequest, reply: FastifyReply, inProtobuf: () => Uint8Array, inJson: object) =>
  typeOf(request) === protobuf
    ? reply.type(protobuf).send(Buffer.from(inProtobuf()))
    : reply.type(json).serializer(JSON.stringify).send(inJson)

const words = ({ body, message }: Problem): string =>
  typeof body === 'object' && 'msg' in body ? String(body.msg) : message

const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) }

/** The body as it was before it was packed for the way, which is never more than we would take unpacked. */
const unpacked = async ({ body, headers }: FastifyRequest): Promise<Buffer> => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (coding === 'identity') return bytes
  if (coding !== 'gzip' && coding !== 'deflate') throw new Problem(415, { msg: ingest.unsupported })
  try {
    return await unpack[coding](bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Problem(tooMuch ? 413 : 400, { msg: ingest.notPacked(coding) })
  }
}

const read = async (request: FastifyRequest, spend: (bytes: number) => void) => {
  const type = typeOf(request)
  const from = { [protobuf]: fromProtobuf, [json]: fromJson }[type]
  if (!from) throw new Problem(415, { msg: ingest.unsupported })
  const bytes = await unpacked(request)
  spend(bytes.length)
  try {
    return from(bytes)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new Problem(400, { msg: `${type === json ? ingest.noJson : ingest.noProtobuf}: ${error.message}` })
  }
}

const numberOfSpans = (resources: readonly ResourceSpans[]): number =>
  resources.flatMap(scopeSpansOf).reduce((sum, { spans = [] }) => sum + spans.length, 0)

/** The door for spans: OpenTelemetry's protocol over HTTP, in protobuf and in JSON, where its exporters look for it. */
export const otlpDoor = (app: FastifyInstance, { store, writerOf, providerOf, quota }: OtlpDoor): void => {
  const writers = new WeakMap<FastifyRequest, Writer>()
  /** Said once when it begins and once when it is over: a line for each refused request would fill the disk that is full. */
  let full = false

  const noteFull = (request: FastifyRequest, now: boolean, reason?: string) => {
    if (full === now) return
    full = now
    if (now) request.log.error(`New spans are refused: ${reason}`)
    else request.log.warn('Spans are taken in again')
  }

  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!store) throw new Problem(404, { msg: ingest.elsewhere })
    const writer = await writerOf(request, reply)
    if (!writer) throw unauthorized(request.headers.authorization)
    quota.check(writer)
    writers.set(request, writer)
  }

  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    const writer = writers.get(request)
    if (!store || !writer) throw unauthorized(undefined)
    const resources = await read(request, (bytes) => quota.spend(writer, { bytes }))
    const { parts, rejected, why } = await sortSpans(writer, resources, providerOf)
    if (rejected > 0) logSecurityEvent(request, 'write_refused', { reason: `spans refused: ${rejected}` })
    quota.spend(writer, { spans: numberOfSpans(resources) })
    await store.keep(parts)
    noteFull(request, false)
    const partial = rejected > 0 ? { partialSuccess: { rejectedSpans: rejected, errorMessage: why } } : {}
    return send(request, reply, () => successBytes(rejected, why), partial)
  }

  void app.register((door, _, done) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, bytes, taken) =>
      taken(null, bytes),
    )
    door.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error) ?? new Problem(500, { msg: 'internal error' })
      if (error instanceof StorageFull) noteFull(request, true, error.message)
      else if (problem.status >= 500) request.log.error({ err: error }, 'spans were not taken')
      const message = refusals[problem.status] ?? words(problem)
      const code = codes[problem.status] ?? 13
      void reply.code(problem.status).headers(problem.headers)
      return send(request, reply, () => statusBytes(code, message), { code, message })
    })
    door.route({
      method: 'POST',
      url: '/v1/traces',
      // bodies are unpacked here: with a limit to what comes out, and on whatever app
      config: { isIngestRoute: true },
      schema: { hide: true },
      logLevel: 'warn',
      decompress: false,
      // Before anything of the body is read: strangers fill no memory.
      onRequest: enter,
      handler: take,
    })
    done()
  })
}
