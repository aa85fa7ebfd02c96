import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { errorMonitor } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { readClock, toSpanTime } from './clock'
import { errorTypeOf } from './error-type'

/** What `fetch` publishes about its requests. */
interface FetchMessage {
  request: { origin: string | URL; method: string; addHeader: (name: string, value: string) => void }
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

const propagator = new W3CTraceContextPropagator()

/** Adds `traceparent` to a request. */
type AddTraceHeaders = (span: Span, server: Attributes, addHeader: (name: string, value: string) => void) => void

const formatServer = (server: Attributes) =>
  `${String(server['url.scheme'])}://${String(server['server.address']).replace(/^\[|\]$/g, '')}:${String(server['server.port'])}`

/** Servers of tenants and vendors get no IDs of our traces, only those of the settings do. */
const createHeaderWriter = (tracedUrls: readonly string[]): AddTraceHeaders => {
  const tracedServers = new Set(
    tracedUrls.map((url) => {
      const { protocol, hostname, port } = new URL(url)
      return formatServer(describeServer('GET', protocol, hostname, port))
    }),
  )
  return (span, server, addHeader) => {
    if (!tracedServers.has(formatServer(server))) return
    propagator.inject(trace.setSpan(ROOT_CONTEXT, span), undefined, {
      set: (_, name, value) => addHeader(name, value),
    })
  }
}

/** The subscribers of `fetch`, by the name of the channel. */
const createFetchSubscribers = (startSpan: StartSpan, addTraceHeaders: AddTraceHeaders) => {
  const spans = new WeakMap<FetchMessage['request'], Span>()
  const end = ({ request, error }: FetchMessage, hasFailed: boolean) => {
    const span = spans.get(request)
    if (!span) return
    if (hasFailed) failSpan(span, errorTypeOf(error))
    endSpan(span)
  }
  return {
    'undici:request:create': ({ request }: FetchMessage) => {
      const describe = () => {
        const { protocol, hostname, port } = new URL(request.origin)
        return describeServer(request.method, protocol, hostname, port)
      }
      const span = startSpan(request.method, describe)
      if (!span) return
      spans.set(request, span)
      addTraceHeaders(span, describe(), (name, value) => request.addHeader(name, value))
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
const createHttpSubscribers = (startSpan: StartSpan, addTraceHeaders: AddTraceHeaders) => {
  const spans = new WeakMap<ClientRequest, Span>()
  const start = ({ request }: { request: ClientRequest }) => {
    if (spans.has(request)) return
    const { method, protocol, host } = request
    const describe = () => {
      // A request has no property with the port.
      const [, port] = /:(\d+)$/.exec(String(request.getHeader('host'))) ?? []
      return describeServer(method, protocol, host, port)
    }
    const span = startSpan(method, describe)
    if (!span) return
    spans.set(request, span)
    if (!request.headersSent) addTraceHeaders(span, describe(), (name, value) => void request.setHeader(name, value))
    // Unlike a listener of 'error', a monitor does not count as error handling.
    request.once(errorMonitor, (error) => failSpan(span, errorTypeOf(error)))
    request.once('close', () => endSpan(span))
  }
  return {
    // Node 20 publishes a request only when its headers are sent.
    'http.client.request.created': start,
    'http.client.request.start': start,
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
 * on diagnostics channels, so that no library has to be changed. Requests to the servers of `tracedUrls` get the header
 * `traceparent`. Returns a function that stops it.
 */
export const observeOutgoing = (tracer: Tracer, tracedUrls: readonly string[]): (() => void) => {
  const startSpan: StartSpan = (name, buildAttributes) =>
    trace.getSpan(context.active())?.isRecording()
      ? tracer.startSpan(name, {
          kind: SpanKind.CLIENT,
          startTime: toSpanTime(readClock()),
          attributes: buildAttributes(),
        })
      : undefined
  const addTraceHeaders = createHeaderWriter(tracedUrls)
  const httpSubscribers = Object.entries({
    ...createFetchSubscribers(startSpan, addTraceHeaders),
    ...createHttpSubscribers(startSpan, addTraceHeaders),
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
