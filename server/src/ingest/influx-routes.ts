import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '../http/error-handler'
import { Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import type { CallHistory, Measurement } from '../ports/call-history'
import { StorageFullError } from '../ports/service-errors'
import type { WriterLookup } from './writer'
import { countLineBreaks, maxReportedErrors, nsByPrecision, readLines, type LineError } from './line-protocol'
import type { ProviderLookup } from './point-owner'
import type { IngestQuota } from './quota'
import { ingestPoints } from './ingest-points'
import { createBodyReservations, type ReservedBody } from './reserved-body'
import { createStorageLog } from './storage-log'

export interface InfluxRouteOptions {
  history: CallHistory
  findWriter: WriterLookup
  findProvider: ProviderLookup
  quota: IngestQuota
}

const measurements: readonly string[] = ['cdrs', 'alerts'] satisfies Measurement[]
const isMeasurement = (name: string | undefined): name is Measurement =>
  name !== undefined && measurements.includes(name)

/** Maximum bytes of a request, compressed and decompressed. */
const maxBodyBytes = 10 * 1024 * 1024

/** An error response in InfluxDB's format. */
class InfluxError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const sendError = (reply: FastifyReply, status: number, message: string) =>
  reply
    .code(status)
    .header('x-influxdb-error', message.replace(/[^\x20-\x7e]/g, '?').slice(0, 1000))
    .send({ error: message })

const readBody = async ({ body, headers }: FastifyRequest): Promise<string> => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return bytes.toString()
  if (encoding !== 'gzip') throw new InfluxError(415, `content-encoding ${encoding} is not supported: send gzip`)
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: maxBodyBytes })).toString()
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? new InfluxError(413, 'Request Entity Too Large') : new InfluxError(400, 'the body is not gzip')
  }
}

/** Creates a collector of line errors, which reports the first ones and counts the others. */
const createLineErrorCollector = () => {
  const reportedErrors: LineError[] = []
  let count = 0
  return {
    add(errors: readonly LineError[]) {
      count += errors.length
      if (reportedErrors.length >= maxReportedErrors) return
      const sorted = errors.toSorted((a, b) => a.line - b.line)
      reportedErrors.push(...sorted.slice(0, maxReportedErrors - reportedErrors.length))
    },
    get message() {
      const reasons = reportedErrors.map(({ reason }) => reason)
      return [...reasons, ...(count > reportedErrors.length ? [`and ${count - reportedErrors.length} more`] : [])].join(
        '\n',
      )
    },
    get count() {
      return count
    },
  }
}

const readQueryParameter = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads the statement of a query from the URL or a form body. */
const readStatement = (request: FastifyRequest): string => {
  const formStatement = Buffer.isBuffer(request.body) ? new URLSearchParams(request.body.toString()).get('q') : null
  return (readQueryParameter(request, 'q') ?? formStatement ?? '').trim().replace(/;$/, '')
}

const databaseSeries = { name: 'databases', columns: ['name'], values: measurements.map((name) => [name]) }
const buildUnknownDatabaseMessage = (name: string) =>
  `database ${name.slice(0, 60)} is unknown: this server stores ${measurements.join(' and ')}`

/** Builds the result of a statement that clients send before they write. Records cannot be queried through this route. */
const buildQueryResult = (statement: string): object => {
  if (/^show\s+databases$/i.test(statement)) return { statement_id: 0, series: [databaseSeries] }
  const [, name] = /^create\s+database\s+"?([^"\s]+)"?/i.exec(statement) ?? []
  if (name === undefined)
    throw new InfluxError(400, 'this endpoint only accepts writes: read call records and alerts from the API')
  return isMeasurement(name) ? { statement_id: 0 } : { statement_id: 0, error: buildUnknownDatabaseMessage(name) }
}

/** Creates the authentication hook of the routes and the handler of the write route. */
const createWriteHandlers = (
  { history, findWriter, findProvider, quota }: InfluxRouteOptions,
  storageStatus: ReturnType<typeof createStorageLog>,
) => {
  const bodyReservations = createBodyReservations(quota, maxBodyBytes, 'points')
  const createUnauthorizedError = () =>
    new InfluxError(401, 'authorization failed: send an API key as the password or as a bearer token')

  /** Runs before the body is read, so requests without a key use no memory. */
  const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
    const writer = await findWriter(request, reply)
    if (!writer) throw createUnauthorizedError()
    bodyReservations.reserve(request, reply, writer)
  }

  const writeLines = async (request: FastifyRequest, { writer, reservation }: ReservedBody): Promise<void> => {
    const name = readQueryParameter(request, 'db')
    if (name === undefined) throw new InfluxError(400, 'database is required')
    if (!isMeasurement(name)) throw new InfluxError(404, buildUnknownDatabaseMessage(name))
    const nsPerUnit = nsByPrecision.get(readQueryParameter(request, 'precision') ?? 'ns')
    if (nsPerUnit === undefined) throw new InfluxError(400, 'invalid precision')
    const lineErrors = createLineErrorCollector()
    let [readCount, droppedCount] = [0, 0]
    const text = await readBody(request)
    // At least as many as the body has points, which are counted below.
    reservation.add({ points: countLineBreaks(text) + 1 })
    reservation.settle({ bytes: Buffer.byteLength(text) })
    try {
      for (const { lines, errors } of readLines(text, nsPerUnit)) {
        readCount += lines.length
        const result = await ingestPoints(history, name, writer, lines, findProvider)
        if (result.hasStoredPoints) storageStatus.reportStored(request.log)
        lineErrors.add([...errors, ...result.errors])
        droppedCount += result.errors.length
        // Without this, a large body would block other requests: the awaited calls above may return without a pause.
        await yieldToEventLoop()
      }
    } finally {
      reservation.settle({ points: readCount })
    }
    if (lineErrors.count > 0) {
      logSecurityEvent(request, 'write_refused', { reason: `lines refused: ${lineErrors.count}` })
      throw new InfluxError(
        400,
        readCount === 0 ? lineErrors.message : `partial write: ${lineErrors.message} dropped=${droppedCount}`,
      )
    }
  }

  const write = async (request: FastifyRequest, reply: FastifyReply) => {
    const reservedBody = bodyReservations.take(request)
    if (!reservedBody) throw createUnauthorizedError()
    try {
      await writeLines(request, reservedBody)
    } finally {
      reservedBody.reservation.release()
    }
    return reply.code(204).send()
  }

  return { authenticate, write }
}

/** Options of all routes. Handlers decompress bodies themselves, with a limit on the decompressed size. */
const routeOptions = {
  config: { isIngestRoute: true },
  schema: { hide: true },
  logLevel: 'warn',
  decompress: false,
} as const

/** Routes through which voice servers write call records and alerts, as to an InfluxDB 1.x. */
export const influxRoutes = (app: FastifyInstance, options: InfluxRouteOptions): void => {
  const storageStatus = createStorageLog('call records and alerts')
  const { authenticate, write } = createWriteHandlers(options, storageStatus)

  void app.register((scopedApp, _, done) => {
    scopedApp.removeAllContentTypeParsers()
    scopedApp.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, bytes, onParsed) =>
      onParsed(null, bytes),
    )
    scopedApp.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-influxdb-version', '1.8')
    })
    scopedApp.setErrorHandler((error, request, reply) => {
      if (error instanceof InfluxError) return sendError(reply, error.status, error.message)
      const problem = toProblem(error, request) ?? new Problem(500, { msg: 'internal error' })
      if (error instanceof StorageFullError) storageStatus.reportFull(request.log, error.message)
      else if (problem.status >= 500) request.log.error({ err: error }, 'write failed')
      return sendError(reply.headers(problem.headers), problem.status, problem.message)
    })
    scopedApp.route({ method: 'POST', url: '/write', ...routeOptions, onRequest: authenticate, handler: write })
    scopedApp.route({
      method: ['GET', 'POST'],
      url: '/query',
      ...routeOptions,
      onRequest: authenticate,
      handler: (request) => ({ results: [buildQueryResult(readStatement(request))] }),
    })
    scopedApp.route({
      method: ['GET', 'HEAD'],
      url: '/ping',
      ...routeOptions,
      handler: (_request, reply) => reply.code(204).send(),
    })
    done()
  })
}
