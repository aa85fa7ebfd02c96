import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Tracer } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readClock, toSpanTime } from './clock'
import { describePath } from './url-path'

const propagator = new W3CTraceContextPropagator()

/** Reads `traceparent` and `tracestate`. */
const headerGetter = {
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
  get: (headers: FastifyRequest['headers'], name: string) => headers[name],
}

const buildAttributes = (request: FastifyRequest, listener: string) => {
  const { url: route } = request.routeOptions
  return {
    'http.request.method': request.method,
    'url.scheme': request.protocol,
    ...(route === undefined ? {} : { 'http.route': route, 'url.path': describePath(route, request.params) }),
    'trunkline.listener': listener,
    'trunkline.request_id': request.id,
  }
}

/** Records a span for each request of the app. It is the active span in all hooks and in the handler. */
export const observeRequests = (app: FastifyInstance, tracer: Tracer, listener: string): void => {
  const contexts = new WeakMap<FastifyRequest, Context>()

  const startSpan = (request: FastifyRequest, { raw }: FastifyReply): Context => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, headerGetter)
    const { url: route } = request.routeOptions
    const span = tracer.startSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: toSpanTime(readClock()),
        attributes: buildAttributes(request, listener),
      },
      parent,
    )
    // Also for requests that are aborted.
    raw.once('close', () => {
      const { statusCode } = raw
      if (raw.headersSent) span.setAttribute('http.response.status_code', statusCode)
      if (!raw.writableFinished) span.setAttribute('error.type', 'aborted')
      else if (statusCode >= 500) {
        span.setAttribute('error.type', String(statusCode))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(toSpanTime(readClock()))
    })
    return trace.setSpan(parent, span)
  }

  const activate = (request: FastifyRequest, _: unknown, done: () => void) => {
    const requestContext = contexts.get(request)
    if (requestContext) context.with(requestContext, done)
    else done()
  }

  app.addHook('onRequest', (request, reply, done) => {
    const requestContext = startSpan(request, reply)
    contexts.set(request, requestContext)
    context.with(requestContext, done)
  })
  // The events of the body and of the response do not continue the context of the first hook.
  app.addHook('preValidation', activate)
  app.addHook('onResponse', activate)
}
