import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '../http/errors'
import { Problem } from '../http/problem'
import { logSecurityEvent } from '../http/security-log'
import type { CallHistory, Measurement } from '../ports/call-history'
import { StorageFull } from '../ports/unavailable'
import type { Writer, WriterOf } from './writer'
import { mostFaults, precisions, readLines, type Fault } from './line-protocol'
import type { ProviderOf } from './ownership'
import type { IngestQuota } from './quota'
import { takeIn } from './ingest-points'

export interface Doors {
  history: CallHistory
  writerOf: WriterOf
  providerOf: ProviderOf
  quota: IngestQuota
}

const kept: readonly string[] = ['cdrs', 'alerts'] satisfies Measurement[]
const isKept = (name: string | undefined): name is Measurement => name !== undefined && kept.includes(name)

/** Bytes of a request, as it comes and unpacked. */
const mostBytes = 10 * 1024 * 1024

/** A refusal in InfluxDB's form. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const say = (reply: FastifyReply, status: number, message: string) =>
  reply
    .code(status)
    .header('x-influxdb-error', message.replace(/[^\x20-\x7e]/g, '?').slice(0, 1000))
    .send({ error: message })

const unpacked = async ({ body, headers }: FastifyRequest): Promise<string> => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (coding === 'identity') return bytes.toString()
  if (coding !== 'gzip') throw new Refusal(415, `content-encoding ${coding} is not read here: send gzip`)
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: mostBytes })).toString()
  } catch (error) {
    const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw tooMuch ? new Refusal(413, 'Request Entity Too Large') : new Refusal(400, 'the body is no gzip')
  }
}

/** What is wrong with lines: the first of it in words, of all the rest how much it is. */
const complaints = () => {
  const first: Fault[] = []
  let count = 0
  return {
    add(faults: readonly Fault[]) {
      count += faults.length
      if (first.length >= mostFaults) return
      const sorted = faults.toSorted((one, other) => one.line - other.line)
      first.push(...sorted.slice(0, mostFaults - first.length))
    },
    get words() {
      const reasons = first.map(({ reason }) => reason)
      return [...reasons, ...(count > first.length ? [`and ${count - first.length} more`] : [])].join('\n')
    },
    get count() {
      return count
    },
  }
}

const parameter = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The statement of a query, out of the address or a form. */
const statementOf = (request: FastifyRequest): string => {
  const inForm = Buffer.isBuffer(request.body) ? new URLSearchParams(request.body.toString()).get('q') : null
  return (parameter(request, 'q') ?? inForm ?? '').trim().replace(/;$/, '')
}

const databases = { name: 'databases', columns: ['name'], values: kept.map((name) => [name]) }
const notKept = (name: string) => `database ${name.slice(0, 60)} is not kept here: only ${kept.join(' and ')} are`

/** What a writer asks before it writes; there is nothing else to be read here. */
const answerTo = (statement: string): object => {
  if (/^show\s+databases$/i.test(statement)) return { statement_id: 0, series: [databases] }
  const [, name] = /^create\s+database\s+"?([^"\s]+)"?/i.exec(statement) ?? []
  if (name === undefined)
    throw new Refusal(400, 'this server takes in call records and alerts; they are read from its API')
  return isKept(name) ? { statement_id: 0 } : { statement_id: 0, error: notKept(name) }
}

/** The doors through which voice servers write call records and alerts, as they do to an InfluxDB 1.x. */
export const influxDoors = (app: FastifyInstance, { history, writerOf, providerOf, quota }: Doors): void => {
  // bodies are unpacked here: with a limit to what comes out, and on whatever app
  const settings = {
    config: { isIngestRoute: true },
    schema: { hide: true },
    logLevel: 'warn',
    decompress: false,
  } as const
  /** Said once when it begins and once when it is over: a line for each refused record would fill the disk that is full. */
  let full = false

  const noteFull = (request: FastifyRequest, now: boolean, reason?: string) => {
    if (full === now) return
    full = now
    if (now) request.log.error(`New call records and alerts are refused: ${reason}`)
    else request.log.warn('Call records and alerts are taken in again')
  }

  const writers = new WeakMap<FastifyRequest, Writer>()
  const unknownKey = () =>
    new Refusal(401, 'authorization failed: send an API key as the password or as a bearer token')

  /** Runs before the body is read: who has no key fills no memory. */
  const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
    const writer = await writerOf(request, reply)
    if (!writer) throw unknownKey()
    quota.check(writer)
    writers.set(request, writer)
  }

  const write = async (request: FastifyRequest, reply: FastifyReply) => {
    const writer = writers.get(request)
    if (!writer) throw unknownKey()
    const name = parameter(request, 'db')
    if (name === undefined) throw new Refusal(400, 'database is required')
    if (!isKept(name)) throw new Refusal(404, notKept(name))
    const unit = precisions[parameter(request, 'precision') ?? 'ns']
    if (unit === undefined) throw new Refusal(400, 'invalid precision')
    const wrong = complaints()
    let [read, dropped] = [0, 0]
    const text = await unpacked(request)
    quota.spend(writer, { bytes: text.length })
    for (const { said, faults } of readLines(text, unit)) {
      quota.spend(writer, { points: said.length })
      const left = said.length > 0 ? await takeIn(history, name, writer, said, providerOf) : []
      wrong.add([...faults, ...left])
      read += said.length
      dropped += left.length
      // others have their turn, also while nothing is to be waited for
      await turn()
    }
    if (read > 0) noteFull(request, false)
    if (wrong.count > 0) {
      logSecurityEvent(request, 'write_refused', { reason: `lines refused: ${wrong.count}` })
      throw new Refusal(400, read === 0 ? wrong.words : `partial write: ${wrong.words} dropped=${dropped}`)
    }
    return reply.code(204).send()
  }

  void app.register((inner, _, done) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, bytes, read) =>
      read(null, bytes),
    )
    inner.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-influxdb-version', '1.8')
    })
    inner.setErrorHandler((error, request, reply) => {
      if (error instanceof Refusal) return say(reply, error.status, error.message)
      const problem = toProblem(error) ?? new Problem(500, { msg: 'internal error' })
      if (error instanceof StorageFull) noteFull(request, true, error.message)
      else if (problem.status >= 500) request.log.error({ err: error }, 'write failed')
      return say(reply.headers(problem.headers), problem.status, problem.message)
    })
    inner.route({ method: 'POST', url: '/write', ...settings, onRequest: authenticate, handler: write })
    inner.route({
      method: ['GET', 'POST'],
      url: '/query',
      ...settings,
      onRequest: authenticate,
      handler: (request) => ({ results: [answerTo(statementOf(request))] }),
    })
    inner.route({
      method: ['GET', 'HEAD'],
      url: '/ping',
      ...settings,
      handler: (_request, reply) => reply.code(204).send(),
    })
    done()
  })
}
