import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { errorMonitor } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { context, SpanKind, SpanStatusCode, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api'
import { readClock, toSpanTime } from './clock'
import { errorTypeOf } from './error-type'

/** What `fetch` publishes about its requests. */
interface FetchMessage {
  request: { origin: string | URL; method: string }
  response?: { statusCode: number }
  error?: unknown
}

/** What the driver of Redis publishes about its commands. */
interface RedisMessage {
  command: string
  serverAddress?: string
  serverPort?: number
  error?: unknown
}

const failSpan = (span: Span, type: string) => {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const setResponseStatus = (span: Span, status: number) => {
  span.setAttribute('http.response.status_code', status)
  if (status >= 400) failSpan(span, String(status))
}

const endSpan = (span: Span) => span.end(toSpanTime(readClock()))

/** URLs of webhooks and vendors may contain secrets, so only the server is recorded. `protocol` ends with a colon. */
const describeServer = (method: string, protocol: string, host: string, port: string | undefined): Attributes => ({
  'http.request.method': method,
  'url.scheme': protocol.slice(0, -1),
  'server.address': host,
  'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
})

/** The subscribers of `fetch`, by the name of the channel. */
const createFetchSubscribers = (startSpan: StartSpan) => {
  const spans = new WeakMap<FetchMessage['request'], Span>()
  const end = ({ request, error }: FetchMessage, hasFailed: boolean) => {
    const span = spans.get(request)
    if (!span) return
    if (hasFailed) failSpan(span, errorTypeOf(error))
    endSpan(span)
  }
  return {
    'undici:request:create': ({ request }: FetchMessage) => {
      const span = startSpan(request.method, () => {
        const { protocol, hostname, port } = new URL(request.origin)
        return describeServer(request.method, protocol, hostname, port)
      })
      if (span) spans.set(request, span)
    },
    'undici:request:headers': ({ request, response }: FetchMessage) => {
      const span = spans.get(request)
      if (span && response) setResponseStatus(span, response.statusCode)
    },
    'undici:request:trailers': (message: FetchMessage) => end(message, false),
    'undici:request:error': (message: FetchMessage) => end(message, true),
  }
}

/** The subscribers of `node:http` and `node:https`, which the SDKs of vendors use. */
const createHttpSubscribers = (startSpan: StartSpan) => {
  const spans = new WeakMap<ClientRequest, Span>()
  return {
    'http.client.request.start': ({ request }: { request: ClientRequest }) => {
      const { method, protocol, host } = request
      // A request has no property with the port.
      const [, port] = /:(\d+)$/.exec(String(request.getHeader('host'))) ?? []
      const span = startSpan(method, () => describeServer(method, protocol, host, port))
      if (!span) return
      spans.set(request, span)
      // Unlike a listener of 'error', a monitor does not count as error handling.
      request.once(errorMonitor, (error) => failSpan(span, errorTypeOf(error)))
      request.once('close', () => endSpan(span))
    },
    'http.client.response.finish': ({ request, response }: { request: ClientRequest; response: IncomingMessage }) => {
      const span = spans.get(request)
      if (span && response.statusCode !== undefined) setResponseStatus(span, response.statusCode)
    },
  }
}

/** The subscribers of the driver of Redis. Keys and values are not recorded. */
const createRedisSubscribers = (startSpan: StartSpan) => {
  const spans = new WeakMap<RedisMessage, Span>()
  return {
    start: (message: RedisMessage) => {
      const operation = message.command.toUpperCase()
      const span = startSpan(operation, () => ({
        'db.system.name': 'redis',
        'db.operation.name': operation,
        ...(message.serverAddress ? { 'server.address': message.serverAddress } : {}),
        ...(message.serverPort ? { 'server.port': message.serverPort } : {}),
      }))
      if (span) spans.set(message, span)
    },
    asyncEnd: (message: RedisMessage) => {
      const span = spans.get(message)
      if (!span) return
      if (message.error !== undefined) failSpan(span, errorTypeOf(message.error))
      endSpan(span)
    },
  }
}

/** Starts a span, if a request or a job is active that is recorded. */
type StartSpan = (name: string, buildAttributes: () => Attributes) => Span | undefined

/**
 * Records a span for each request that the server sends, and for each command to Redis. Node and the driver publish them
 * on diagnostics channels, so that no library has to be changed. Returns a function that stops it.
 */
export const observeOutgoing = (tracer: Tracer): (() => void) => {
  const startSpan: StartSpan = (name, buildAttributes) =>
    trace.getSpan(context.active())?.isRecording()
      ? tracer.startSpan(name, {
          kind: SpanKind.CLIENT,
          startTime: toSpanTime(readClock()),
          attributes: buildAttributes(),
        })
      : undefined
  const httpSubscribers = Object.entries({
    ...createFetchSubscribers(startSpan),
    ...createHttpSubscribers(startSpan),
  }) as [string, (message: unknown) => void][]
  const redisChannel = tracingChannel<RedisMessage>('ioredis:command')
  const redisSubscribers = createRedisSubscribers(startSpan)
  for (const [name, subscriber] of httpSubscribers) subscribe(name, subscriber)
  redisChannel.start.subscribe(redisSubscribers.start as never)
  redisChannel.asyncEnd.subscribe(redisSubscribers.asyncEnd as never)
  return () => {
    for (const [name, subscriber] of httpSubscribers) unsubscribe(name, subscriber)
    redisChannel.start.unsubscribe(redisSubscribers.start as never)
    redisChannel.asyncEnd.unsubscribe(redisSubscribers.asyncEnd as never)
  }
}
